import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('identity').createTable('account', (table) => {
    table.text('project').notNullable()
    table.text('id').notNullable().index()
    table.text('owner').notNullable()
    table.text('issuer').notNullable()
    table.text('subject').notNullable()
    table.timestamp('createdAt').notNullable().defaultTo(knex.fn.now())
    table.primary(['project', 'id'])
    table.unique(['project', 'issuer', 'subject'])
    table.index(['project', 'owner'])
  })
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('identity').dropTable('account')
}
