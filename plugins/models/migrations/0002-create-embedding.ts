import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('models').createTable('embedding', (table) => {
    table.text('project').primary()
    table.text('owner').notNullable()
    table.text('modelProvider').notNullable()
    table.text('modelId')
    table.integer('version').notNullable().defaultTo(0)
    table.timestamp('updatedAt').notNullable().defaultTo(knex.fn.now())
  })
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('models').dropTable('embedding')
}
