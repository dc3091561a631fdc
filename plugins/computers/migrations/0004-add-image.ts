import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw('alter table computers.computer add column image text')
}

export async function down(knex: Knex) {
  await knex.raw('alter table computers.computer drop column image')
}
