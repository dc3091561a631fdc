import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // What a run used, under the run's id. "items" is a list that never changes; "salt" hides those that are not shown.
  await knex.raw(`
    create table provenance.trace (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text not null,
      "sessionId" text collate "C" not null,
      "agentId" text collate "C" not null,
      mode text not null,
      status text not null,
      salt text not null,
      count integer not null,
      items jsonb not null,
      "startedAt" timestamptz not null,
      "endedAt" timestamptz not null,
      primary key (project, id)
    )`)
  await knex.raw('create index on provenance.trace (id)')
  await knex.raw('create index on provenance.trace (project, "sessionId", id)')
  await knex.raw('create index on provenance.trace (project, "agentId", id)')
  // Which runs used a document, a file or a space: few of them use any.
  await knex.raw(`
    create table provenance.source (
      project text collate "C" not null,
      type text not null,
      "usedId" text collate "C" not null,
      "runId" text collate "C" not null,
      "sessionId" text collate "C" not null,
      "agentId" text collate "C" not null,
      primary key (project, type, "usedId", "runId")
    )`)
  await knex.raw('create index on provenance.source (project, "sessionId")')
  await knex.raw('create index on provenance.source (project, "agentId")')
}

export async function down(knex: Knex) {
  await knex.raw('drop table provenance.source')
  await knex.raw('drop table provenance.trace')
}
