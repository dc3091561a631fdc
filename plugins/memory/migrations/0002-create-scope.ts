import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('memory').createTable('scope', (table) => {
    table.text('project').notNullable()
    table.text('id').notNullable().index()
    table.text('owner').notNullable()
    table.text('name').notNullable()
    table.text('description')
    table.jsonb('agents').notNullable()
    table.integer('version').notNullable().defaultTo(1)
    table.timestamp('createdAt').notNullable().defaultTo(knex.fn.now())
    table.timestamp('updatedAt').notNullable().defaultTo(knex.fn.now())
    table.primary(['project', 'id'])
    table.index(['project', 'owner', 'id'])
  })
  await knex.raw('create index on memory.scope using gin (agents jsonb_path_ops)')
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('memory').dropTable('scope')
}
