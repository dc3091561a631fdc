import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // A message that stands, in prompts, for all up to that position.
  await knex.raw('alter table sessions.message add column summarizes integer')
  // Few messages are of the system: those of a session are found without a look at all others.
  await knex.raw(`create index message_system_index on sessions.message (project, "sessionId", position)
    where role = 'system'`)
}

export async function down(knex: Knex) {
  await knex.raw('drop index sessions.message_system_index')
  await knex.raw('delete from sessions.message where summarizes is not null')
  await knex.raw('alter table sessions.message drop column summarizes')
}
