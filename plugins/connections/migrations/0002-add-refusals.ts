import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // How often in a row the provider has rejected the renewal.
  await knex.raw('alter table connections.connection add refusals integer not null default 0')
}

export async function down(knex: Knex) {
  await knex.raw('alter table connections.connection drop refusals')
}
