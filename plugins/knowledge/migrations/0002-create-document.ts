import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw(`
    create table knowledge.folder (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "spaceId" text collate "C" not null,
      "parentId" text collate "C",
      name text not null,
      path text collate "C" not null,
      version integer not null default 1,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on knowledge.folder (id)')
  await knex.raw(
    `create unique index folder_name on knowledge.folder (project, "spaceId", coalesce("parentId", ''), lower(name))`
  )
  await knex.raw('create index on knowledge.folder (project, "spaceId", id)')
  await knex.raw(`
    create table knowledge.document (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "spaceId" text collate "C" not null,
      "folderId" text collate "C",
      name text not null,
      title text not null,
      path text collate "C" not null,
      "mediaType" text not null,
      "fileId" text,
      hash text collate "C" not null,
      size integer not null,
      tags text[] not null default '{}',
      status text not null check (status in ('ready', 'processing', 'failed')),
      progress integer not null default 0,
      error jsonb,
      version integer not null default 1,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on knowledge.document (id)')
  await knex.raw(
    `create unique index document_name on knowledge.document (project, "spaceId", coalesce("folderId", ''), lower(name))`
  )
  await knex.raw('create index on knowledge.document (project, "spaceId", id)')
  // What a document was, version by version; but for the tags of a long one, which are found later, nothing changes.
  await knex.raw(`
    create table knowledge.revision (
      project text collate "C" not null,
      "documentId" text collate "C" not null,
      version integer not null,
      "spaceId" text collate "C" not null,
      "folderId" text collate "C",
      name text not null,
      title text not null,
      path text not null,
      "mediaType" text not null,
      "fileId" text,
      hash text collate "C" not null,
      size integer not null,
      tags text[] not null default '{}',
      by text not null,
      "createdAt" timestamptz not null default now(),
      primary key (project, "documentId", version)
    )`)
  await knex.raw('create index on knowledge.revision (project, "spaceId", hash)')
  // The same text lies once in a space.
  await knex.raw(`
    create table knowledge.content (
      project text collate "C" not null,
      "spaceId" text collate "C" not null,
      hash text collate "C" not null,
      text text not null,
      primary key (project, "spaceId", hash)
    )`)
  // What is left of a document that was deleted: that it was there.
  await knex.raw(`
    create table knowledge.deleted_document (
      project text collate "C" not null,
      "spaceId" text collate "C" not null,
      "documentId" text collate "C" not null,
      "deletedAt" timestamptz not null default now(),
      primary key (project, "documentId")
    )`)
  await knex.raw('create index on knowledge.deleted_document (project, "spaceId")')
}

export async function down(knex: Knex) {
  await knex.raw(`drop table knowledge.deleted_document, knowledge.content, knowledge.revision,
    knowledge.document, knowledge.folder`)
}
