import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw('alter table channels.channel add column cursor text, add column "fetchedAt" timestamptz')
  await knex.raw(
    'create index channel_fetched on channels.channel (project, "fetchedAt") where cursor is not null'
  )
}

export async function down(knex: Knex) {
  await knex.raw('alter table channels.channel drop column cursor, drop column "fetchedAt"')
}
