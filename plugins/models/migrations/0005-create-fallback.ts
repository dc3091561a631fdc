import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('models').createTable('fallback', (table) => {
    table.text('project').primary()
    table.text('owner').notNullable()
    table.jsonb('models').notNullable().defaultTo('[]')
    table.integer('version').notNullable().defaultTo(0)
    table.timestamp('updatedAt').notNullable().defaultTo(knex.fn.now())
  })
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('models').dropTable('fallback')
}
