import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // Who called what by which grants with which keys, and what came of it. "output" is what did not fit into the answer.
  await knex.raw(`
    create table tools.call (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text not null,
      "agentId" text collate "C" not null,
      "runId" text collate "C",
      "toolId" text collate "C" not null,
      "toolName" text not null,
      kind text not null,
      actor jsonb not null,
      grants jsonb not null,
      "keyIds" text[] not null,
      approved boolean not null,
      status text not null check (status in ('running', 'succeeded', 'failed', 'unknown')),
      size integer,
      milliseconds integer,
      output text,
      "createdAt" timestamptz not null default now(),
      "endedAt" timestamptz,
      primary key (project, id)
    ) with (fillfactor = 80)`)
  await knex.raw('create index on tools.call (id)')
  await knex.raw('create index call_agent on tools.call (project, "agentId", id)')
  await knex.raw(`create index call_running on tools.call (project, "createdAt") where status = 'running'`)
}

export async function down(knex: Knex) {
  await knex.raw('drop table tools.call')
}
