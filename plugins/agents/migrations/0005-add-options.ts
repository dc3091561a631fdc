import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('agents').alterTable('agent', (table) => {
    table.jsonb('options')
  })
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('agents').alterTable('agent', (table) => {
    table.dropColumn('options')
  })
}
