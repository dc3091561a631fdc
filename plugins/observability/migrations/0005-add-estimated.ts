import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // Calls of models whose tokens their providers did not report.
  await knex.raw('alter table observability.call add column "isEstimated" boolean not null default false')
  await knex.raw('alter table observability.day add column estimated bigint not null default 0')
}

export async function down(knex: Knex) {
  await knex.raw('alter table observability.day drop column estimated')
  await knex.raw('alter table observability.call drop column "isEstimated"')
}
