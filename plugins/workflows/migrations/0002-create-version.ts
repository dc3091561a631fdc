import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('workflows').createTable('version', (table) => {
    table.text('project').notNullable()
    table.text('id').notNullable().index()
    table.text('owner').notNullable()
    table.text('workflowId').notNullable()
    table.integer('version').notNullable()
    table.json('definition').notNullable()
    table.primary(['project', 'id'])
    table.unique(['project', 'workflowId', 'version'])
  })
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('workflows').dropTable('version')
}
