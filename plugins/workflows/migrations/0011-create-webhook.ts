import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('workflows').createTable('webhook', (table) => {
    table.text('project').notNullable()
    table.text('id').notNullable().index()
    table.text('owner').notNullable()
    table.text('workflowId').notNullable()
    // SHA-256 of the token.
    table.binary('hash').notNullable()
    table.text('prefix').notNullable()
    table.text('sealed')
    table.json('mapping')
    table.timestamp('createdAt').notNullable().defaultTo(knex.fn.now())
    table.timestamp('mintedAt').notNullable().defaultTo(knex.fn.now())
    table.primary(['project', 'id'])
    table.unique(['project', 'workflowId'])
  })
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('workflows').dropTable('webhook')
}
