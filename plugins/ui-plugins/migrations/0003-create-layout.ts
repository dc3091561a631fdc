import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // "userId" is empty for what counts for everybody of the project.
  await knex.raw(`
    create table ui_plugins.layout (
      project text collate "C" not null,
      "userId" text collate "C" not null,
      scope text collate "C" not null,
      pins jsonb not null,
      version integer not null default 1,
      "updatedAt" timestamptz not null default now(),
      primary key (project, "userId", scope)
    )`)
}

export async function down(knex: Knex) {
  await knex.raw('drop table ui_plugins.layout')
}
