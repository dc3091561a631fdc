import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // Which other models a run went on with, and why; null: none.
  await knex.raw('alter table runs.run add column fallbacks jsonb')
  // Models that failed lately, for all instances.
  await knex.raw(`
    create table runs.circuit (
      project text collate "C" not null,
      model text collate "C" not null,
      failures integer not null,
      "failedAt" timestamptz not null,
      "openUntil" timestamptz,
      primary key (project, model)
    )`)
}

export async function down(knex: Knex) {
  await knex.raw('drop table runs.circuit')
  await knex.raw('alter table runs.run drop column fallbacks')
}
