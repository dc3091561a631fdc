import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('memory').createTable('memory', (table) => {
    table.text('project').notNullable()
    table.text('id').notNullable().index()
    table.text('owner').notNullable()
    table.text('agentId').notNullable()
    table.text('type').notNullable()
    table.text('content').notNullable()
    table.double('importance').notNullable()
    table.timestamp('validFrom').notNullable()
    table.timestamp('validTo')
    table.jsonb('source')
    table.text('scopeId')
    table.text('supersedes')
    table.text('supersededBy')
    table.boolean('untrusted').notNullable()
    table.text('callId')
    table.integer('version').notNullable().defaultTo(1)
    table.timestamp('createdAt').notNullable().defaultTo(knex.fn.now())
    table.timestamp('updatedAt').notNullable().defaultTo(knex.fn.now())
    table.primary(['project', 'id'])
    table.index(['project', 'agentId', 'id'])
    table.unique(['project', 'callId'])
  })
  await knex.raw('create index on memory.memory (project, "scopeId", id) where "scopeId" is not null')
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('memory').dropTable('memory')
}
