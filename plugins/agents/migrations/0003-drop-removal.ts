import type { Knex } from 'knex'

// What goes with an agent is deleted by the cascades of the packs that keep it.
export async function up(knex: Knex) {
  await knex.schema
    .withSchema('agents')
    .dropTable('removal')
    .dropTable('keeper')
    .alterTable('knowledgebase', (table) => {
      table.timestamp('createdAt').notNullable().defaultTo(knex.fn.now())
    })
    .alterTable('connection', (table) => {
      table.renameColumn('note', 'description')
    })
}

export async function down(knex: Knex) {
  await knex.schema
    .withSchema('agents')
    .alterTable('connection', (table) => {
      table.renameColumn('description', 'note')
    })
    .alterTable('knowledgebase', (table) => {
      table.dropColumn('createdAt')
    })
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
