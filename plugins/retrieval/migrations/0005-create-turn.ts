import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw(`
    create table retrieval.turn (
      project text primary key,
      holder text not null,
      until timestamptz not null
    )`)
}

export async function down(knex: Knex) {
  await knex.raw('drop table retrieval.turn')
}
