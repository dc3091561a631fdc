import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // The last fact about it says that it waits for something from outside.
  await knex.raw('alter table runs.run add column suspended boolean not null default false')
}

export async function down(knex: Knex) {
  await knex.raw('alter table runs.run drop column suspended')
}
