import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // What was done, from facts: "id" is made of the fact's, so that none is there twice.
  await knex.raw(`
    create table observability.event (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      type text collate "C" not null,
      actor text not null,
      subject text not null,
      "agentId" text collate "C",
      "sessionId" text,
      "runId" text,
      details jsonb not null,
      at timestamptz not null,
      primary key (project, id)
    )`)
  await knex.raw('create index on observability.event (id)')
  await knex.raw('create index on observability.event (project, owner, id)')
  await knex.raw('create index on observability.event (project, "agentId", id) where "agentId" is not null')
  // Live streams that were followed once: what nobody follows is not told.
  await knex.raw(`
    create table observability.feed (
      project text collate "C" not null,
      stream text collate "C" not null,
      primary key (project, stream)
    )`)
}

export async function down(knex: Knex) {
  await knex.raw('drop table observability.feed')
  await knex.raw('drop table observability.event')
}
