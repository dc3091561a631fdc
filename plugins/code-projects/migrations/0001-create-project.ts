import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw(`
    create table code_projects.codeproject (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "agentId" text collate "C" not null,
      name text not null,
      description text,
      template text not null,
      "buildCommand" text,
      "outputFolder" text not null,
      "startCommand" text,
      "singlePage" boolean not null,
      slug text collate "C" not null,
      "publicationId" text collate "C",
      "fileCount" integer not null default 0,
      bytes float8 not null default 0,
      version integer not null default 1,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on code_projects.codeproject (id)')
  await knex.raw('create index on code_projects.codeproject (project, "agentId", id)')
  // "version": that of the project in which the file became what it is.
  await knex.raw(`
    create table code_projects.file (
      project text collate "C" not null,
      "projectId" text collate "C" not null,
      "agentId" text collate "C" not null,
      path text collate "C" not null,
      content bytea not null,
      size integer not null,
      sha256 text not null,
      version integer not null,
      "updatedAt" timestamptz not null default now(),
      primary key (project, "projectId", path)
    )`)
  await knex.raw('alter table code_projects.file alter column content set storage external')
  await knex.raw('create index on code_projects.file (project, "agentId")')
  // "files": what lies at each path, as [path, sha256, size].
  await knex.raw(`
    create table code_projects.publication (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "agentId" text collate "C" not null,
      "projectId" text collate "C" not null,
      number integer not null,
      version integer not null,
      "fileCount" integer not null,
      bytes float8 not null,
      "singlePage" boolean not null,
      files jsonb not null default '[]',
      "createdAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on code_projects.publication (id)')
  await knex.raw('create index on code_projects.publication (project, "agentId")')
  await knex.raw('create unique index on code_projects.publication (project, "projectId", number)')
  await knex.raw('create index on code_projects.publication (project, "projectId", id)')
  await knex.raw(`
    create table code_projects.build (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "agentId" text collate "C" not null,
      "projectId" text collate "C" not null,
      kind text not null,
      status text not null,
      reason text,
      version integer not null,
      "exitCode" integer,
      log text not null default '',
      "publicationId" text collate "C",
      report jsonb,
      instance integer,
      attempt integer not null default 0,
      "cancelledAt" timestamptz,
      "createdAt" timestamptz not null default now(),
      "startedAt" timestamptz,
      "endedAt" timestamptz,
      primary key (project, id)
    )`)
  await knex.raw('create index on code_projects.build (id)')
  await knex.raw('create index on code_projects.build (project, "agentId")')
  await knex.raw('create index on code_projects.build (project, "projectId", id)')
  await knex.raw(
    'create index build_open on code_projects.build (project, owner, "projectId", id) where "endedAt" is null'
  )
}

export async function down(knex: Knex) {
  for (const name of ['build', 'publication', 'file', 'codeproject'])
    await knex.raw(`drop table code_projects.${name}`)
}
