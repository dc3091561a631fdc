import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // Images of a message, by their files; null for nearly all of them.
  await knex.raw('alter table sessions.message add column attachments jsonb')
}

export async function down(knex: Knex) {
  await knex.raw('alter table sessions.message drop column attachments')
}
