import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('models').createTable('configuration', (table) => {
    table.text('project').notNullable()
    table.text('id').notNullable().index()
    table.text('owner').notNullable()
    table.text('provider').notNullable()
    table.text('apiKey').comment('sealed')
    table.text('baseUrl')
    table.integer('version').notNullable().defaultTo(0)
    table.timestamp('createdAt').notNullable().defaultTo(knex.fn.now())
    table.timestamp('updatedAt').notNullable().defaultTo(knex.fn.now())
    table.primary(['project', 'id'])
    table.unique(['project', 'provider'])
  })
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('models').dropTable('configuration')
}
