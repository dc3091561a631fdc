import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // By which a run was admitted: it is charged by that where the fact about its end names none.
  await knex.raw('alter table credits.reservation add column "modelProvider" text, add column "modelId" text')
}

export async function down(knex: Knex) {
  await knex.raw('alter table credits.reservation drop column "modelProvider", drop column "modelId"')
}
