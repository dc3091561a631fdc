import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw(`
    create table archives.import (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "fileId" text not null,
      status text not null check (status in ('queued', 'running', 'completed', 'failed')),
      "agentId" text collate "C",
      "order" jsonb not null,
      areas jsonb,
      progress jsonb not null,
      report jsonb,
      error jsonb,
      attempt integer not null default 0,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null default now(),
      "endedAt" timestamptz,
      primary key (project, id)
    )`)
  await knex.raw('create index import_id on archives.import (id)')
  await knex.raw('create index import_owner on archives.import (project, owner, id)')
  // What an import is about to make that would not go with its agent; rows go when it ends.
  await knex.raw(`
    create table archives.reserved (
      project text collate "C" not null,
      "importId" text collate "C" not null,
      ordinal integer not null,
      pack text not null,
      "madeId" text collate "C" not null,
      primary key (project, "importId", ordinal)
    )`)
}

export async function down(knex: Knex) {
  await knex.raw('drop table archives.reserved, archives.import')
}
