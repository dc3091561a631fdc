import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw(`
    create table ui_plugins.app_log (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "appId" text collate "C" not null,
      at timestamptz not null,
      level text not null check (level in ('debug', 'info', 'warn', 'error')),
      kind text not null check (kind in ('console', 'refusal', 'fault')),
      source text not null check (source in ('page', 'function')),
      version text not null,
      "callerId" text not null,
      function text,
      method text,
      code text,
      text text not null,
      primary key (project, id)
    )`)
  await knex.raw('create index on ui_plugins.app_log (id)')
  await knex.raw('create index app_log_app on ui_plugins.app_log (project, "appId", id)')
}

export async function down(knex: Knex) {
  await knex.raw('drop table ui_plugins.app_log')
}
