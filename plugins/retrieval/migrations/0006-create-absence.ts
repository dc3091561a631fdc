import type { Knex } from 'knex'

/** Collections with entries that no pack contributes, and since when. */
export async function up(knex: Knex) {
  await knex.raw(`
    create table retrieval.absence (
      collection text primary key,
      since timestamptz not null default now()
    )`)
}

export async function down(knex: Knex) {
  await knex.raw('drop table retrieval.absence')
}
