import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // "owner" is the tool's.
  await knex.raw(`
    create table tools.permission (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text not null,
      "toolId" text collate "C" not null,
      "subjectType" text collate "C" not null check ("subjectType" in ('user', 'agent', 'service', 'project')),
      "subjectId" text collate "C" not null,
      level text not null check (level in ('use', 'manage')),
      "grantedBy" text not null,
      "createdAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on tools.permission (id)')
  await knex.raw(
    `create index permission_of_subject on tools.permission (project, "subjectType", "subjectId", "toolId")`
  )
  await knex.raw(
    `create unique index permission_subject on tools.permission (project, "toolId", "subjectId", "subjectType")`
  )
}

export async function down(knex: Knex) {
  await knex.raw('drop table tools.permission')
}
