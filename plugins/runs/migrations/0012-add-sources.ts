import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // What packs put into the prompts of a run, by id and digest; null where none of them named anything.
  await knex.raw('alter table runs.run add column sources jsonb')
}

export async function down(knex: Knex) {
  await knex.raw('alter table runs.run drop column sources')
}
