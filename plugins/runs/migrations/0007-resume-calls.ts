import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // Sealed: how a call goes on with the answer when the process that made it is gone; null once it has gone on.
  await knex.raw('alter table runs.question add column resume text')
}

export async function down(knex: Knex) {
  await knex.raw('alter table runs.question drop column resume')
}
