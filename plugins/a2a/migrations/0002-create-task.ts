import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('a2a').createTable('task', (table) => {
    table.text('project').notNullable()
    table.text('id').notNullable().index().comment('of the run, known before it begins')
    table.text('owner').notNullable()
    table.text('agentId').notNullable()
    table.text('sessionId')
    table.text('contextId')
    table.text('externalId')
    table.text('messageId')
    table.text('answerId')
    table.text('protocol').notNullable()
    table.text('state').notNullable()
    table.boolean('takesJson').notNullable()
    table.timestamp('createdAt').notNullable().defaultTo(knex.fn.now())
    table.timestamp('updatedAt').notNullable().defaultTo(knex.fn.now())
    table.timestamp('endedAt')
    table.primary(['project', 'id'])
    table.index(['project', 'agentId', 'id'])
    table.index(['project', 'sessionId'])
    const given = (column: string) => ({ predicate: knex.whereNotNull(column) })
    table.index(['project', 'agentId', 'contextId'], 'task_context_index', given('contextId'))
    // A message that comes twice, and a task that is sent twice, are one task.
    const whose = ['project', 'agentId', 'owner']
    table.unique([...whose, 'messageId'], { indexName: 'task_message_index', ...given('messageId') })
    table.unique([...whose, 'externalId'], { indexName: 'task_external_index', ...given('externalId') })
  })
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('a2a').dropTable('task')
}
