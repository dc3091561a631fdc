import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // How many processes died or hung while the run's step was under way in them.
  await knex.raw('alter table runs.run add column crashes int not null default 0')
}

export async function down(knex: Knex) {
  await knex.raw('alter table runs.run drop column crashes')
}
