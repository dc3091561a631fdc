import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw('alter table workflows.webhook add column event json')
}

export async function down(knex: Knex) {
  await knex.raw('alter table workflows.webhook drop column event')
}
