import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // How many runs descend from this one, where no other run had it started.
  await knex.raw('alter table runs.run add column descendants integer not null default 0')
}

export async function down(knex: Knex) {
  await knex.raw('alter table runs.run drop column descendants')
}
