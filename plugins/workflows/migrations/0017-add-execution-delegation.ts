import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('workflows').alterTable('execution', (table) => {
    table.jsonb('delegation')
  })
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('workflows').alterTable('execution', (table) => {
    table.dropColumn('delegation')
  })
}
