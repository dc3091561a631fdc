import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('kernel').alterTable('credential', (table) => {
    table.boolean('narrowed').comment('null: where it has a list of scopes')
  })
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('kernel').alterTable('credential', (table) => {
    table.dropColumn('narrowed')
  })
}
