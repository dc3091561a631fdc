import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('a2a').createTable('publication', (table) => {
    table.text('project').notNullable()
    table.text('id').notNullable().index()
    table.text('owner').notNullable()
    table.text('agentId').notNullable()
    table.text('description')
    table.jsonb('tools').notNullable().defaultTo('[]')
    table.jsonb('skills').notNullable().defaultTo('[]')
    table.integer('version').notNullable().defaultTo(1)
    table.timestamp('createdAt').notNullable().defaultTo(knex.fn.now())
    table.timestamp('updatedAt').notNullable().defaultTo(knex.fn.now())
    table.primary(['project', 'id'])
    table.unique(['project', 'agentId'])
    table.index(['project', 'owner', 'id'])
  })
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('a2a').dropTable('publication')
}
