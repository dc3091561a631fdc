import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw(`
    create table archives.export (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "agentId" text collate "C" not null,
      status text not null check (status in ('queued', 'running', 'completed', 'failed')),
      include jsonb not null,
      areas jsonb,
      progress jsonb not null,
      parts jsonb not null default '[]',
      "leftOut" jsonb not null default '[]',
      needs jsonb not null default '[]',
      "fileId" text,
      size bigint,
      sha256 text,
      "keyId" text,
      error jsonb,
      attempt integer not null default 0,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null default now(),
      "endedAt" timestamptz,
      primary key (project, id)
    )`)
  await knex.raw('create index export_id on archives.export (id)')
  await knex.raw('create index export_owner on archives.export (project, owner, id)')
  await knex.raw('create index export_agent on archives.export (project, "agentId", id)')
}

export async function down(knex: Knex) {
  await knex.raw('drop table archives.export')
}
