import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('spaces').alterTable('message', (table) => {
    table.jsonb('delegation')
  })
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('spaces').alterTable('message', (table) => {
    table.dropColumn('delegation')
  })
}
