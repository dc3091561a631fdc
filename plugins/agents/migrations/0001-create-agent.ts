import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema
    .withSchema('agents')
    .createTable('agent', (table) => {
      table.text('project').notNullable()
      table.text('id').notNullable().index()
      table.text('owner').notNullable()
      table.text('name').notNullable()
      table.text('instructions')
      table.text('modelProvider')
      table.text('modelId')
      table.double('temperature')
      table.integer('maxTokens')
      table.integer('version').notNullable().defaultTo(1)
      table.timestamp('createdAt').notNullable().defaultTo(knex.fn.now())
      table.timestamp('updatedAt').notNullable().defaultTo(knex.fn.now())
      table.timestamp('deletedAt')
      table.primary(['project', 'id'])
      table.index(['project', 'owner', 'id'])
    })
    .createTable('knowledgebase', (table) => {
      table.text('project').notNullable()
      table.text('owner').notNullable()
      table.text('agentId').notNullable()
      table.text('content').notNullable()
      table.integer('version').notNullable().defaultTo(1)
      table.timestamp('updatedAt').notNullable().defaultTo(knex.fn.now())
      table.primary(['project', 'agentId'])
    })
    .createTable('connection', (table) => {
      table.text('project').notNullable()
      table.text('id').notNullable().index()
      table.text('owner').notNullable()
      table.text('agentId').notNullable()
      table.text('peerAgentId').notNullable()
      table.text('note')
      table.timestamp('createdAt').notNullable().defaultTo(knex.fn.now())
      table.primary(['project', 'id'])
      table.unique(['project', 'agentId', 'peerAgentId'])
      table.index(['project', 'peerAgentId'])
    })
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('agents').dropTable('connection').dropTable('knowledgebase').dropTable('agent')
}
