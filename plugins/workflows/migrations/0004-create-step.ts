import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // The journal: a row for each step that began or was skipped. "ref" is the run or execution that it waits for,
  // "arrival" what has come of that, "state" what its kind has to know when it goes on.
  await knex.raw(`
    create table workflows.step (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text not null,
      "executionId" text collate "C" not null,
      path text collate "C" not null,
      "stepId" text not null,
      kind text not null,
      status text not null,
      attempt integer not null,
      input jsonb,
      output jsonb,
      error jsonb,
      cost jsonb,
      state jsonb,
      ref text collate "C",
      arrival jsonb,
      awaits boolean not null default false,
      decisions jsonb,
      deadline timestamptz,
      "startedAt" timestamptz not null,
      "endedAt" timestamptz,
      primary key (project, id)
    )`)
  await knex.raw('create index on workflows.step (id)')
  await knex.raw('create unique index step_path on workflows.step (project, "executionId", path)')
  await knex.raw('create index step_ref on workflows.step (project, ref) where ref is not null')
}

export async function down(knex: Knex) {
  await knex.raw('drop table workflows.step')
}
