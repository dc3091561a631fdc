import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw(`
    create table evaluations.feedback (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "runId" text collate "C" not null,
      "sessionId" text collate "C" not null,
      "agentId" text collate "C" not null,
      thumb text not null,
      comment text,
      "datasetId" text collate "C",
      "itemId" text collate "C",
      version integer not null default 1,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index feedback_id on evaluations.feedback (id)')
  await knex.raw('create unique index feedback_run on evaluations.feedback (project, "runId")')
  await knex.raw('create index feedback_owner on evaluations.feedback (project, owner, id)')
  await knex.raw('create index feedback_agent on evaluations.feedback (project, "agentId", id)')
  await knex.raw('create index feedback_session on evaluations.feedback (project, "sessionId")')
}

export async function down(knex: Knex) {
  await knex.raw('drop table evaluations.feedback')
}
