import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // As `length`, with the calls that a message asks for: their arguments may be far longer than what it says.
  await knex.raw(`
    alter table sessions.message add column weight integer
      generated always as (char_length(content) + coalesce(char_length("toolCalls"::text), 0)) stored`)
}

export async function down(knex: Knex) {
  await knex.raw('alter table sessions.message drop column weight')
}
