import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // A model's reply that went on to call tools: never asked for twice.
  await knex.raw(`
    create table runs.step (
      project text collate "C" not null,
      "runId" text collate "C" not null,
      step integer not null,
      owner text not null,
      reply jsonb not null,
      usage jsonb not null,
      "createdAt" timestamptz not null default now(),
      primary key (project, "runId", step)
    )`)
  // "callerDeadline" tells a call that the caller answers; "told" that its end stands in the stream.
  await knex.raw(`
    create table runs.call (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text not null,
      "runId" text collate "C" not null,
      step integer not null,
      place integer not null,
      "modelCallId" text not null,
      "toolName" text not null,
      args jsonb,
      idempotent boolean not null,
      "callerDeadline" timestamptz,
      output jsonb,
      "isError" boolean,
      told boolean not null default false,
      "createdAt" timestamptz not null default now(),
      "endedAt" timestamptz,
      primary key (project, id)
    )`)
  await knex.raw('create index on runs.call (id)')
  await knex.raw('create index call_run on runs.call (project, "runId", step, place)')
}

export async function down(knex: Knex) {
  await knex.raw('drop table runs.call')
  await knex.raw('drop table runs.step')
}
