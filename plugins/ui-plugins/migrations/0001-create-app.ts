import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw(`
    create table ui_plugins.app (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "pluginId" text collate "C" not null,
      status text not null check (status in ('draft', 'enabled', 'off')),
      audience text not null check (audience in ('owner', 'project')),
      grants jsonb not null,
      "enabledId" text collate "C",
      "draftId" text collate "C" not null,
      version integer not null default 1,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on ui_plugins.app (id)')
  await knex.raw('create unique index app_plugin on ui_plugins.app (project, "pluginId")')
  await knex.raw('create index app_owner on ui_plugins.app (project, owner, id)')

  // Never changed. "owner" is the app's.
  await knex.raw(`
    create table ui_plugins.app_version (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "appId" text collate "C" not null,
      semver text collate "C" not null,
      digest text not null,
      size integer not null,
      manifest jsonb not null,
      files jsonb not null,
      "createdAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on ui_plugins.app_version (id)')
  await knex.raw(
    'create unique index app_version_semver on ui_plugins.app_version (project, "appId", semver)'
  )
  await knex.raw('create index app_version_owner on ui_plugins.app_version (project, owner)')
}

export async function down(knex: Knex) {
  await knex.raw('drop table ui_plugins.app_version')
  await knex.raw('drop table ui_plugins.app')
}
