import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw(`
    create table evaluations.experiment (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      name text not null,
      "datasetId" text collate "C" not null,
      "agentId" text collate "C" not null,
      "agentVersion" integer not null,
      model jsonb,
      instructions text,
      scorers jsonb not null,
      concurrency integer not null,
      status text not null,
      "itemCount" integer not null,
      "endedCount" integer not null default 0,
      error jsonb,
      summary jsonb,
      "createdAt" timestamptz not null default now(),
      "endedAt" timestamptz,
      primary key (project, id)
    )`)
  await knex.raw('create index experiment_id on evaluations.experiment (id)')
  await knex.raw('create index experiment_owner on evaluations.experiment (project, owner, id)')
  await knex.raw('create index experiment_dataset on evaluations.experiment (project, "datasetId", id)')
  await knex.raw('create index experiment_agent on evaluations.experiment (project, "agentId", id)')

  await knex.raw(`
    create table evaluations.result (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "experimentId" text collate "C" not null,
      "agentId" text collate "C" not null,
      "itemId" text collate "C" not null,
      -- As the item was when the experiment began.
      input text not null,
      expected text,
      metadata jsonb not null,
      status text not null default 'queued',
      "runId" text collate "C",
      "sessionId" text collate "C",
      output text,
      scores jsonb not null default '[]',
      score double precision,
      passed boolean,
      error jsonb,
      usage jsonb,
      cost numeric,
      milliseconds integer,
      "startedAt" timestamptz,
      "answeredAt" timestamptz,
      "endedAt" timestamptz,
      primary key (project, id)
    )`)
  await knex.raw('create index result_id on evaluations.result (id)')
  await knex.raw('create index result_experiment on evaluations.result (project, "experimentId", id)')
  await knex.raw(
    'create index result_open on evaluations.result (project, "experimentId", status, id) where "endedAt" is null'
  )
  await knex.raw('create index result_run on evaluations.result (project, "runId") where "runId" is not null')
}

export async function down(knex: Knex) {
  await knex.raw('drop table evaluations.result')
  await knex.raw('drop table evaluations.experiment')
}
