import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema
    .withSchema('sessions')
    .createTable('session', (table) => {
      table.text('project').notNullable()
      table.text('id').notNullable()
      table.text('owner').notNullable()
      table.text('agentId').notNullable()
      table.text('initiator').notNullable()
      table.text('title')
      table.jsonb('metadata').notNullable().defaultTo('{}')
      table.integer('version').notNullable().defaultTo(1)
      table.integer('nextPosition').notNullable().defaultTo(0)
      table.timestamp('createdAt').notNullable().defaultTo(knex.fn.now())
      table.timestamp('updatedAt').notNullable().defaultTo(knex.fn.now())
      table.primary(['project', 'id'])
      table.index(['project', 'agentId', 'id'])
      table.index(['project', 'agentId', 'owner', 'id'])
      table.index(['project', 'initiator', 'id'])
    })
    .createTable('message', (table) => {
      table.text('project').notNullable()
      table.text('sessionId').notNullable()
      table.integer('position').notNullable()
      table.text('messageId').notNullable()
      table.text('owner').notNullable()
      table.text('runId')
      table.text('role').notNullable()
      table.text('content').notNullable()
      table.timestamp('createdAt').notNullable().defaultTo(knex.fn.now())
      // In itself, so that to look for what fits into a budget reads no long content.
      table.specificType('length', 'integer generated always as (char_length(content)) stored')
      table.primary(['project', 'sessionId', 'position'])
    })
  // Room in each page for what a run changes, so that no index has to know of it.
  await knex.raw('alter table sessions.session set (fillfactor = 80)')
  // By a collation of its own, so that this is the one index a statement by id can go through. PostgreSQL 18 may
  // take any index with `id` in it and skip over what stands before; a plan made while the table was small would.
  await knex.raw('create index session_id_index on sessions.session (id collate "C")')
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('sessions').dropTable('message').dropTable('session')
}
