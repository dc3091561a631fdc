import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // "owner" is the item's.
  await knex.raw(`
    create table library.item_grant (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "itemId" text collate "C" not null,
      "subjectType" text collate "C" not null check ("subjectType" in ('user', 'agent', 'service', 'project')),
      "subjectId" text collate "C" not null,
      level text not null check (level in ('read', 'write', 'manage')),
      "grantedBy" text not null,
      version integer not null default 1,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on library.item_grant (id)')
  await knex.raw(
    'create unique index item_grant_subject on library.item_grant (project, "itemId", "subjectType", "subjectId")'
  )
  await knex.raw(
    'create index item_grant_of_subject on library.item_grant (project, "subjectType", "subjectId", "itemId")'
  )
}

export async function down(knex: Knex) {
  await knex.raw('drop table library.item_grant')
}
