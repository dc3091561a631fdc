import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // The migrator makes the table before its own migrations are there: a new one has the column already.
  await knex.raw('alter table kernel.migration add column if not exists digest text')
}

export async function down(knex: Knex) {
  await knex.raw('alter table kernel.migration drop column digest')
}
