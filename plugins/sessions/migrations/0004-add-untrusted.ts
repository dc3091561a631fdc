import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // What came from outside stays marked in the prompts of all later runs.
  await knex.raw('alter table sessions.message add column untrusted boolean not null default false')
}

export async function down(knex: Knex) {
  await knex.raw('alter table sessions.message drop column untrusted')
}
