import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw('alter table runtimes.runtime add column image text')
}

export async function down(knex: Knex) {
  await knex.raw('alter table runtimes.runtime drop column image')
}
