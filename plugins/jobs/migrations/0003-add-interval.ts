import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('jobs').alterTable('schedule', (table) => {
    table.setNullable('cron')
    table.integer('everyMinutes')
  })
}

export async function down(knex: Knex) {
  await knex('jobs.schedule').whereNull('cron').delete()
  await knex.schema.withSchema('jobs').alterTable('schedule', (table) => {
    table.dropColumn('everyMinutes')
    table.dropNullable('cron')
  })
}
