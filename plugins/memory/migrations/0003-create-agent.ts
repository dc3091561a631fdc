import type { Knex } from 'knex'

export async function up(knex: Knex) {
  const schema = knex.schema.withSchema('memory')
  await schema.createTable('agent', (table) => {
    table.text('project').notNullable()
    table.text('agentId').notNullable()
    table.boolean('extraction').notNullable()
    table.integer('contextTokens').notNullable()
    table.integer('version').notNullable()
    table.timestamp('updatedAt').notNullable().defaultTo(knex.fn.now())
    table.primary(['project', 'agentId'])
  })
  // Of which runs memories were extracted: of each once.
  await knex.schema.withSchema('memory').createTable('extraction', (table) => {
    table.text('project').notNullable()
    table.text('runId').notNullable()
    table.text('agentId').notNullable()
    table.timestamp('createdAt').notNullable().defaultTo(knex.fn.now())
    table.primary(['project', 'runId'])
    table.index(['project', 'agentId'])
  })
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('memory').dropTable('extraction')
  await knex.schema.withSchema('memory').dropTable('agent')
}
