import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // A fork names the session and the message after which it continues on its own. `rootId` is that of the whole family:
  // one look finds all branches of a conversation, whichever of them is asked about.
  await knex.raw('alter table sessions.session add column "forkedFrom" jsonb, add column "rootId" text')
  await knex.raw(
    `create index session_root_index on sessions.session (project, "rootId") where "rootId" is not null`
  )
}

export async function down(knex: Knex) {
  await knex.raw('alter table sessions.session drop column "forkedFrom", drop column "rootId"')
}
