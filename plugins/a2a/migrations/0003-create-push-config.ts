import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('a2a').createTable('push_config', (table) => {
    table.text('project').notNullable()
    table.text('id').notNullable().index()
    table.text('owner').notNullable()
    table.text('agentId').notNullable()
    table.text('taskId').notNullable()
    table.text('name').notNullable()
    table.text('protocol').notNullable()
    table.text('url').notNullable()
    table.text('secret').comment('sealed: the token and the credentials')
    table.timestamp('createdAt').notNullable().defaultTo(knex.fn.now())
    table.primary(['project', 'id'])
    table.unique(['project', 'taskId', 'name'])
    table.index(['project', 'agentId'])
  })
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('a2a').dropTable('push_config')
}
