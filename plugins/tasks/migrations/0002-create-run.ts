import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('tasks').createTable('run', (table) => {
    table.text('project').notNullable()
    table.text('id').notNullable().index()
    table.text('owner').notNullable()
    table.text('taskId').notNullable()
    table.text('agentId')
    table.text('status').notNullable()
    table.text('trigger').notNullable()
    table.integer('attempt').notNullable().defaultTo(1)
    table.text('runId').comment('of this attempt; known before the run begins')
    table.text('executionId')
    table.text('sessionId')
    table.boolean('isSequential').notNullable()
    table.jsonb('input')
    table.jsonb('output')
    table.jsonb('error')
    table.timestamp('scheduledFor')
    table.timestamp('beginsAt').notNullable().defaultTo(knex.fn.now())
    table.timestamp('startedAt')
    table.timestamp('endedAt')
    table.timestamp('createdAt').notNullable().defaultTo(knex.fn.now())
    table.primary(['project', 'id'])
    table.index(['project', 'taskId', 'id'])
    const open = knex.whereNull('endedAt')
    table.index(['project', 'runId'], 'run_open_run_index', { predicate: open })
    table.index(['project', 'executionId'], 'run_open_execution_index', { predicate: open })
    table.index(['project', 'sessionId', 'id'], 'run_open_session_index', { predicate: open })
    // One at a time of each task.
    table.unique(['project', 'taskId'], { indexName: 'run_open_task_index', predicate: open })
  })
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('tasks').dropTable('run')
}
