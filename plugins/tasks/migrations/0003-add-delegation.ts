import type { Knex } from 'knex'

export async function up(knex: Knex) {
  for (const name of ['task', 'run'])
    await knex.schema.withSchema('tasks').alterTable(name, (table) => {
      table.jsonb('delegation')
    })
}

export async function down(knex: Knex) {
  for (const name of ['task', 'run'])
    await knex.schema.withSchema('tasks').alterTable(name, (table) => {
      table.dropColumn('delegation')
    })
}
