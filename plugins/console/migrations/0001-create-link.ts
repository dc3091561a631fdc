import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('console').createTable('link', (table) => {
    table.text('project').notNullable()
    table.text('id').notNullable().index()
    table.text('owner').notNullable()
    table.binary('secretHash').notNullable()
    table.jsonb('principal').notNullable()
    table.timestamp('expiresAt').notNullable()
    table.timestamp('createdAt').notNullable().defaultTo(knex.fn.now())
    table.primary(['project', 'id'])
  })
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('console').dropTable('link')
}
