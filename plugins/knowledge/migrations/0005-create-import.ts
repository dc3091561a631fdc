import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw(`
    create table knowledge.import (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "spaceId" text collate "C" not null,
      "folderId" text collate "C",
      by text not null,
      status text not null check (status in ('running', 'completed', 'failed')),
      total integer not null,
      created integer not null default 0,
      updated integer not null default 0,
      unchanged integer not null default 0,
      failed integer not null default 0,
      skipped integer not null default 0,
      errors jsonb not null default '[]',
      "createdAt" timestamptz not null default now(),
      "endedAt" timestamptz,
      primary key (project, id)
    )`)
  await knex.raw('create index on knowledge.import (id)')
  await knex.raw('create index on knowledge.import (project, "spaceId")')
  // What is still to be imported: rows go with the batch that makes documents of them.
  await knex.raw(`
    create table knowledge.import_file (
      project text collate "C" not null,
      "importId" text collate "C" not null,
      ordinal integer not null,
      path text not null,
      "mediaType" text not null,
      "fileId" text,
      bytes bytea not null,
      primary key (project, "importId", ordinal)
    )`)
}

export async function down(knex: Knex) {
  await knex.raw('drop table knowledge.import_file, knowledge.import')
}
