import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // "owner" is the agent's member's `addedBy`: as whom it runs.
  await knex.raw(`
    create table spaces.answer (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "spaceId" text collate "C" not null,
      "memberId" text collate "C" not null,
      "agentId" text collate "C" not null,
      "messageId" text collate "C" not null,
      "rootId" text collate "C" not null,
      turn integer not null,
      "runId" text collate "C" not null,
      status text not null,
      code text,
      "createdAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on spaces.answer (id)')
  await knex.raw('create unique index answer_once on spaces.answer (project, "messageId", "memberId")')
  await knex.raw('create unique index answer_run on spaces.answer (project, "runId")')
  await knex.raw('create index answer_root on spaces.answer (project, "rootId")')
  await knex.raw('create index answer_of_space on spaces.answer (project, "spaceId")')
}

export async function down(knex: Knex) {
  await knex.raw('drop table spaces.answer')
}
