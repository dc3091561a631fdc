import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('a2a').createTable('remote', (table) => {
    table.text('project').notNullable()
    table.text('id').notNullable().index()
    table.text('owner').notNullable()
    table.text('name').notNullable()
    table.text('description').notNullable()
    table.text('cardUrl').notNullable()
    table.text('url').notNullable()
    table.text('protocolVersion').notNullable()
    table.boolean('streaming').notNullable()
    table.text('signature').notNullable()
    table.jsonb('skills').notNullable().defaultTo('[]')
    table.text('toolId').notNullable()
    table.text('toolName').notNullable()
    table.timestamp('checkedAt')
    table.integer('version').notNullable().defaultTo(1)
    table.timestamp('createdAt').notNullable().defaultTo(knex.fn.now())
    table.timestamp('updatedAt').notNullable().defaultTo(knex.fn.now())
    table.primary(['project', 'id'])
    table.index(['project', 'owner', 'id'])
  })
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('a2a').dropTable('remote')
}
