import type { Knex } from 'knex'

/** Words that wait to be merged into their index are read by each search: up to 4 MB of them. */
export async function up(knex: Knex) {
  await knex.raw('alter index retrieval.entry_words set (fastupdate = off)')
}

export async function down(knex: Knex) {
  await knex.raw('alter index retrieval.entry_words reset (fastupdate)')
}
