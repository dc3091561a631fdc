import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('goals').createTable('goal', (table) => {
    table.text('project').notNullable()
    table.text('id').notNullable().index()
    table.text('owner').notNullable()
    table.text('agentId').notNullable()
    table.text('title').notNullable()
    table.integer('progress').notNullable().defaultTo(0)
    table.integer('version').notNullable().defaultTo(1)
    table.timestamp('createdAt').notNullable().defaultTo(knex.fn.now())
    table.primary(['project', 'id'])
    table.index(['project', 'agentId'])
  })
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('goals').dropTable('goal')
}
