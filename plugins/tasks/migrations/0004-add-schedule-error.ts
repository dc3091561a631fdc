import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('tasks').alterTable('task', (table) => {
    table.text('scheduleError')
  })
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('tasks').alterTable('task', (table) => {
    table.dropColumn('scheduleError')
  })
}
