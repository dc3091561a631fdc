import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('identity').alterTable('invitation', (table) => {
    table.boolean('byOperator').notNullable().defaultTo(false)
  })
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('identity').alterTable('invitation', (table) => {
    table.dropColumn('byOperator')
  })
}
