import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw(`
    create table knowledge.space (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      name text not null,
      description text,
      provider text not null,
      version integer not null default 1,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on knowledge.space (id)')
  await knex.raw('create index on knowledge.space (project, owner, id)')
  // "owner" is the space's.
  await knex.raw(`
    create table knowledge.space_grant (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "spaceId" text collate "C" not null,
      "subjectType" text collate "C" not null check ("subjectType" in ('user', 'agent', 'service', 'project')),
      "subjectId" text collate "C" not null,
      level text not null check (level in ('read', 'write', 'manage')),
      "grantedBy" text not null,
      version integer not null default 1,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on knowledge.space_grant (id)')
  await knex.raw(
    'create unique index space_grant_subject on knowledge.space_grant (project, "spaceId", "subjectType", "subjectId")'
  )
  await knex.raw(
    'create index space_grant_of_subject on knowledge.space_grant (project, "subjectType", "subjectId", "spaceId")'
  )
}

export async function down(knex: Knex) {
  await knex.raw('drop table knowledge.space_grant, knowledge.space')
}
