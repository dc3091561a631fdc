import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('workflows').createTable('workflow', (table) => {
    table.text('project').notNullable()
    table.text('id').notNullable().index()
    table.text('owner').notNullable()
    table.text('name').notNullable()
    table.text('description')
    table.text('visibility').notNullable().checkIn(['private', 'public'], 'workflow_visibility_check')
    // Not jsonb: it is shown as it was given.
    table.json('definition').notNullable()
    table.integer('version').notNullable().defaultTo(1)
    table.timestamp('createdAt').notNullable().defaultTo(knex.fn.now())
    table.timestamp('updatedAt').notNullable().defaultTo(knex.fn.now())
    table.primary(['project', 'id'])
    table.index(['project', 'owner', 'id'])
  })
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('workflows').dropTable('workflow')
}
