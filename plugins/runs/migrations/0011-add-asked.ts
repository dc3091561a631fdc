import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // Null of runs that began before: their messages are in their sessions alone.
  await knex.raw('alter table runs.run add column asked text')
}

export async function down(knex: Knex) {
  await knex.raw('alter table runs.run drop column asked')
}
