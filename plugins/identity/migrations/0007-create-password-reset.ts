import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('identity').createTable('password_reset', (table) => {
    table.text('project').notNullable()
    table.text('id').notNullable().index()
    table.text('owner').notNullable().comment('the person; it has one at a time')
    table.binary('secretHash').notNullable()
    table.timestamp('expiresAt').notNullable()
    table.timestamp('createdAt').notNullable().defaultTo(knex.fn.now())
    table.primary(['project', 'id'])
    table.unique(['project', 'owner'])
    table.index(['project', 'expiresAt'])
  })
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('identity').dropTable('password_reset')
}
