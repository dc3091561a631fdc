import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('library').createTable('item', (table) => {
    table.text('project').notNullable()
    table.text('id').notNullable().index()
    table.text('owner').notNullable()
    table.text('agentId')
    table.text('name').notNullable()
    table.text('description')
    table.text('mediaType').notNullable()
    table.bigInteger('size').notNullable()
    table.boolean('favourite').notNullable().defaultTo(false)
    table.jsonb('origin').notNullable()
    table.text('fileId').notNullable()
    table.text('sha256').notNullable()
    table.text('actor').notNullable()
    table.jsonb('preview')
    table.integer('version').notNullable().defaultTo(1)
    table.timestamp('createdAt').notNullable().defaultTo(knex.fn.now())
    table.timestamp('updatedAt').notNullable().defaultTo(knex.fn.now())
    table.primary(['project', 'id'])
    table.unique(['project', 'fileId'])
    table.index(['project', 'owner', 'id'])
    table.index(['project', 'agentId', 'id'])
  })
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('library').dropTable('item')
}
