import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // Null: the answer cites nothing.
  await knex.raw('alter table runs.run add column citations jsonb')
}

export async function down(knex: Knex) {
  await knex.raw('alter table runs.run drop column citations')
}
