import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema
    .withSchema('agents')
    .createTable('keeper', (table) => {
      table.text('pack').primary()
    })
    .createTable('removal', (table) => {
      table.text('project').notNullable()
      table.text('agentId').notNullable()
      table.text('pack').notNullable()
      table.primary(['project', 'agentId', 'pack'])
    })
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('agents').dropTable('removal').dropTable('keeper')
}
