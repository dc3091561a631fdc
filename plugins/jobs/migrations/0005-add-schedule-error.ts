import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('jobs').alterTable('schedule', (table) => {
    table.text('error').comment('why its next time could not be calculated; nextAt is when that is retried')
  })
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('jobs').alterTable('schedule', (table) => {
    table.dropColumn('error')
  })
}
