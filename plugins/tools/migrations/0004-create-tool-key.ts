import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw(`
    create table tools.tool_key (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text not null,
      name text not null,
      description text,
      "allowedHosts" text[] not null,
      prefix text not null,
      sealed text not null,
      version integer not null default 1,
      "createdAt" timestamptz not null default now(),
      "rotatedAt" timestamptz,
      primary key (project, id)
    )`)
  await knex.raw('create index on tools.tool_key (id)')
  await knex.raw('create index tool_key_owner on tools.tool_key (project, owner)')
  await knex.raw(`
    create table tools.key_mapping (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text not null,
      "keyId" text collate "C" not null,
      "toolId" text collate "C" not null,
      "in" text not null check ("in" in ('header', 'query', 'body')),
      name text not null,
      "createdAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on tools.key_mapping (id)')
  await knex.raw('create unique index key_mapping_place on tools.key_mapping (project, "toolId", "in", name)')
  await knex.raw('create index key_mapping_key on tools.key_mapping (project, "keyId")')
}

export async function down(knex: Knex) {
  await knex.raw('drop table tools.key_mapping')
  await knex.raw('drop table tools.tool_key')
}
