import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // The server and model that gave a reply: data in it goes back to the same ones only.
  await knex.raw('alter table runs.step add column origin text')
}

export async function down(knex: Knex) {
  await knex.raw('alter table runs.step drop column origin')
}
