import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // A key goes in the transaction in which its app does.
  await knex.raw(`
    create table ui_plugins.connection (
      project text collate "C" not null,
      "appId" text collate "C" not null,
      key text collate "C" not null,
      owner text collate "C" not null,
      sealed text,
      enabled boolean not null default true,
      "lastUsedAt" timestamptz,
      "lastFailedAt" timestamptz,
      "lastFailure" text,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null default now(),
      primary key (project, "appId", key),
      foreign key (project, "appId") references ui_plugins.app (project, id) on delete cascade
    )`)
}

export async function down(knex: Knex) {
  await knex.raw('drop table ui_plugins.connection')
}
