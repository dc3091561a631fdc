import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // What is to be charged, in order.
  await knex.raw('alter table credits.reservation add column due jsonb')
  await knex.raw('create index reservation_due on credits.reservation (project, id) where due is not null')
}

export async function down(knex: Knex) {
  await knex.raw('alter table credits.reservation drop column due')
}
