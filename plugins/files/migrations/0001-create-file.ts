import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw(`
    create table files.file (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text not null,
      "agentId" text collate "C",
      name text not null,
      "mediaType" text not null,
      size bigint not null,
      sha256 text not null,
      "createdAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on files.file (id)')
  await knex.raw('create index file_owner on files.file (project, owner, id)')
  // What an owner has of its quota: one row, so that uploads at the same time wait for each other at their end.
  await knex.raw(`
    create table files.usage (
      project text collate "C" not null,
      owner text not null,
      bytes bigint not null,
      files bigint not null,
      primary key (project, owner)
    )`)
  // The replies of uploads with an Idempotency-Key, for a day.
  await knex.raw(`
    create table files.upload (
      project text collate "C" not null,
      principal text not null,
      key text not null,
      digest text not null,
      "fileIds" text[] not null,
      "createdAt" timestamptz not null default now(),
      primary key (project, principal, key)
    )`)
}

export async function down(knex: Knex) {
  for (const name of ['upload', 'usage', 'file']) await knex.raw('drop table files.??', [name])
}
