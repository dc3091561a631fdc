import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('kernel').createTable('pending_deletion', (table) => {
    table.text('pack').notNullable()
    table.text('fact').notNullable().comment('that said the subject is gone')
    table.text('name').notNullable().comment('of the cascade: a table of the pack, or its own word')
    table.text('project').notNullable()
    table.text('subject').notNullable()
    table.primary(['pack', 'fact', 'name', 'project', 'subject'])
  })
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('kernel').dropTable('pending_deletion')
}
