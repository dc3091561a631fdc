import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('jobs').createTable('schedule', (table) => {
    table.text('project').notNullable()
    table.text('id').notNullable().index()
    table.text('owner').notNullable()
    table.text('cron').notNullable()
    table.text('timezone').notNullable()
    table.text('queue').notNullable()
    table.jsonb('data').notNullable()
    table.timestamp('nextAt').notNullable()
    table.uuid('job').comment('the last beat')
    table.primary(['project', 'id'])
    table.index(['project', 'nextAt'])
  })
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('jobs').dropTable('schedule')
}
