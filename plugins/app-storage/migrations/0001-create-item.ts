import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw(`
    create table app_storage.item (
      project text collate "C" not null,
      "appId" text collate "C" not null,
      collection text collate "C" not null,
      holder text collate "C" not null,
      key text collate "C" not null,
      value jsonb not null,
      version integer not null,
      bytes integer not null,
      digest text not null,
      "createdAt" timestamptz not null,
      "updatedAt" timestamptz not null,
      primary key (project, "appId", collection, holder, key)
    );
    create table app_storage.usage (
      project text not null,
      "appId" text not null,
      bytes bigint not null,
      rows integer not null,
      state text not null,
      token text,
      primary key (project, "appId")
    );
    create table app_storage.placement (
      project text not null,
      "appId" text not null,
      owner text not null,
      provider text not null,
      connection text,
      host text,
      target text,
      "targetConnection" text,
      "targetHost" text,
      token text,
      "isSwitching" boolean not null default false,
      failure text,
      moved integer not null default 0,
      total integer not null default 0,
      tries integer not null default 0,
      version integer not null default 0,
      "updatedAt" timestamptz not null default now(),
      primary key (project, "appId")
    );
    create table app_storage.leftover (
      project text not null,
      "appId" text not null,
      token text not null,
      provider text not null,
      connection text,
      whole boolean not null,
      tries integer not null default 0,
      primary key (project, "appId", token)
    )`)
}

export async function down(knex: Knex) {
  await knex.raw(
    'drop table app_storage.leftover, app_storage.placement, app_storage.usage, app_storage.item'
  )
}
