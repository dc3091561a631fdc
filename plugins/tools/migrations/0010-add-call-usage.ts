import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw(`alter table tools.call add usage jsonb not null default '[]'`)
}

export async function down(knex: Knex) {
  await knex.raw('alter table tools.call drop usage')
}
