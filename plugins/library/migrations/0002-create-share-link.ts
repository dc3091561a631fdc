import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('library').createTable('share_link', (table) => {
    table.text('project').notNullable()
    table.text('id').notNullable().index()
    table.text('owner').notNullable()
    table.text('itemId').notNullable()
    table.text('secretHash').notNullable()
    table.text('passwordHash')
    table.boolean('hasPassword').notNullable()
    table.integer('maxDownloads')
    table.integer('downloads').notNullable().defaultTo(0)
    table.timestamp('expiresAt').notNullable()
    table.timestamp('createdAt').notNullable().defaultTo(knex.fn.now())
    table.primary(['project', 'id'])
    table.index(['project', 'itemId', 'id'])
  })
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('library').dropTable('share_link')
}
