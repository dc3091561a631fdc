import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('tasks').createTable('task', (table) => {
    table.text('project').notNullable()
    table.text('id').notNullable().index()
    table.text('owner').notNullable()
    table.text('agentId')
    table.text('sessionId')
    table.text('workflowId')
    table.text('title').notNullable()
    table.text('description')
    table.text('executionMode').notNullable()
    table.jsonb('input')
    table.text('cronExpression')
    table.boolean('isRecurring').notNullable()
    table.timestamp('scheduledFor')
    table.text('timezone')
    table.jsonb('retry')
    table.text('status').notNullable()
    table.timestamp('nextRunAt')
    table.timestamp('lastRunAt')
    table.integer('version').notNullable().defaultTo(1)
    table.timestamp('createdAt').notNullable().defaultTo(knex.fn.now())
    table.timestamp('updatedAt').notNullable().defaultTo(knex.fn.now())
    table.primary(['project', 'id'])
    table.index(['project', 'owner', 'id'])
    table.index(['project', 'agentId', 'id'])
    table.index(['project', 'sessionId', 'id'])
  })
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('tasks').dropTable('task')
}
