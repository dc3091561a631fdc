import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // "ending": how it is going to end, while completed steps are being undone. "rootId": the first of those of which each
  // began the next.
  await knex.raw(`
    create table workflows.execution (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text not null,
      "workflowId" text collate "C" not null,
      "workflowVersion" integer not null,
      status text not null,
      instance integer,
      attempt integer not null default 1,
      crashes integer not null default 0,
      wakes integer not null default 0,
      "cancelledFor" text,
      depth integer not null,
      "rootId" text collate "C" not null,
      "parentId" text collate "C",
      "parentStep" text collate "C",
      input jsonb not null,
      output jsonb,
      error jsonb,
      ending jsonb,
      "requestKey" text,
      "requestDigest" text,
      "createdAt" timestamptz not null default now(),
      "endedAt" timestamptz,
      primary key (project, id)
    ) with (fillfactor = 80)`)
  await knex.raw('create index on workflows.execution (id)')
  // Any number may wait: what can go on is found without them.
  await knex.raw(`create index execution_active on workflows.execution (id)
    where "endedAt" is null and status in ('queued', 'running')`)
  await knex.raw(`create index execution_cancelled on workflows.execution (id)
    where "endedAt" is null and "cancelledFor" is not null`)
  await knex.raw('create index execution_workflow on workflows.execution (project, "workflowId", id)')
  await knex.raw('create index execution_root on workflows.execution (project, "rootId")')
  await knex.raw(`create unique index execution_request on workflows.execution (project, "requestKey")
    where "requestKey" is not null`)
}

export async function down(knex: Knex) {
  await knex.raw('drop table workflows.execution')
}
