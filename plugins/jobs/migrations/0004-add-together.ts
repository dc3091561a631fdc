import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('jobs').alterTable('schedule', (table) => {
    table.integer('together').comment('so many beats come as one job')
  })
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('jobs').alterTable('schedule', (table) => {
    table.dropColumn('together')
  })
}
