import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw(`alter table library.item add column chain jsonb not null default '[]'`)
}

export async function down(knex: Knex) {
  await knex.raw('alter table library.item drop column chain')
}
