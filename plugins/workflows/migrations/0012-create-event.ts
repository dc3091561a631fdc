import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // What came from outside for steps that wait. "executionId" is null while it is kept for the first execution of the
  // workflow that waits for its key; "takenBy" is the step that went on with it.
  await knex.raw(`
    create table workflows.event (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text not null,
      "workflowId" text collate "C" not null,
      "executionId" text collate "C",
      name text not null,
      key text,
      data jsonb,
      size integer not null,
      "takenBy" text collate "C",
      "requestKey" text,
      "requestDigest" text,
      "createdAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on workflows.event (id)')
  await knex.raw('create index event_workflow on workflows.event (project, "workflowId", "executionId")')
  await knex.raw(
    `create index event_taken on workflows.event (project, "takenBy") where "takenBy" is not null`
  )
  await knex.raw(`create unique index event_request on workflows.event (project, "requestKey")
    where "requestKey" is not null`)
}

export async function down(knex: Knex) {
  await knex.raw('drop table workflows.event')
}
