import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // "place" orders the runs of a session, as they came; "messages" holds what a run brings while it is queued.
  // "seq" is the last event of its last finished step: what follows belongs to the step that goes on.
  await knex.raw(`
    create table runs.run (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text not null,
      "sessionId" text collate "C" not null,
      "agentId" text not null,
      status text not null,
      instance integer,
      attempt integer not null default 1,
      step integer not null default 0,
      seq integer not null default 0,
      place integer not null,
      actor jsonb not null,
      request jsonb not null,
      messages jsonb,
      content text,
      usage jsonb,
      error jsonb,
      "modelProvider" text,
      "modelId" text,
      "cancelledFor" text,
      "requestKey" text,
      "requestDigest" text,
      "createdAt" timestamptz not null,
      "endedAt" timestamptz,
      primary key (project, id)
    ) with (fillfactor = 80)`)
  await knex.raw('create index on runs.run (id)')
  await knex.raw(
    `create index run_unfinished on runs.run (project, "sessionId", place) where "endedAt" is null`
  )
  await knex.raw(`create unique index run_active on runs.run (project, "sessionId")
    where status in ('running', 'waiting')`)
  await knex.raw('create index run_agent on runs.run (project, "agentId", "sessionId")')
  await knex.raw(`create unique index run_request on runs.run (project, "requestKey")
    where "requestKey" is not null`)
}

export async function down(knex: Knex) {
  await knex.raw('drop table runs.run')
}
