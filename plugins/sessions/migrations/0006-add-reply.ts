import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // The reply of a model with the data of its provider, which that model gets back; null for most messages.
  await knex.raw('alter table sessions.message add column reply jsonb')
}

export async function down(knex: Knex) {
  await knex.raw('alter table sessions.message drop column reply')
}
