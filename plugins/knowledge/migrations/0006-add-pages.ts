import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // Where each page begins, of formats that have pages.
  await knex.raw('alter table knowledge.content add column pages integer[]')
  await knex.raw('alter table knowledge.passage add column page integer')
  await knex.raw('alter table knowledge.citation add column page integer')
}

export async function down(knex: Knex) {
  await knex.raw('alter table knowledge.citation drop column page')
  await knex.raw('alter table knowledge.passage drop column page')
  await knex.raw('alter table knowledge.content drop column pages')
}
