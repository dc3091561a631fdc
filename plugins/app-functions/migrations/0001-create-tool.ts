import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // A row's id is that of its tool; "owner" is the app's. "unavailable": why nobody is offered it.
  await knex.raw(`
    create table app_functions.tool (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "appId" text collate "C" not null,
      "pluginId" text collate "C" not null,
      audience text not null check (audience in ('owner', 'project')),
      name text collate "C" not null,
      "toolName" text not null,
      declared jsonb not null,
      unavailable text,
      "createdAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on app_functions.tool (id)')
  await knex.raw('create unique index tool_function on app_functions.tool (project, "appId", name)')
  await knex.raw('create index tool_name on app_functions.tool (project, "toolName")')
}

export async function down(knex: Knex) {
  await knex.raw('drop table app_functions.tool')
}
