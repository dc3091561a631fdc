import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('kernel').alterTable('instance', (table) => {
    table.text('url').comment('where it listens, as seen from its own host')
  })
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('kernel').alterTable('instance', (table) => {
    table.dropColumn('url')
  })
}
