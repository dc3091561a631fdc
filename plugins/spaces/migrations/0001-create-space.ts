import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw(`
    create table spaces.space (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      name text not null,
      description text,
      visibility text not null check (visibility in ('private', 'public')),
      version integer not null default 1,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on spaces.space (id)')
  await knex.raw(`create index space_public on spaces.space (project, id) where visibility = 'public'`)
  // "owner" is the space's.
  await knex.raw(`
    create table spaces.member (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "spaceId" text collate "C" not null,
      "subjectType" text collate "C" not null check ("subjectType" in ('user', 'agent', 'service')),
      "subjectId" text collate "C" not null,
      role text not null check (role in ('guest', 'member', 'admin', 'owner')),
      name text not null,
      answers text check (answers in ('mentioned', 'always', 'never')),
      "readMessageId" text collate "C",
      "addedBy" text collate "C" not null,
      "sessionId" text collate "C",
      "seenMessageId" text collate "C",
      version integer not null default 1,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null default now(),
      primary key (project, id),
      check (("subjectType" = 'agent') = (answers is not null))
    )`)
  await knex.raw('create index on spaces.member (id)')
  await knex.raw(
    'create unique index member_subject on spaces.member (project, "spaceId", "subjectType", "subjectId")'
  )
  await knex.raw('create index member_of_space on spaces.member (project, "spaceId", id)')
  await knex.raw(
    'create index member_of_subject on spaces.member (project, "subjectType", "subjectId", "spaceId")'
  )
}

export async function down(knex: Knex) {
  await knex.raw('drop table spaces.member, spaces.space')
}
