import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw(`
    create table runtimes.runtime (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "agentId" text collate "C" not null,
      provider text,
      command jsonb,
      cwd text not null,
      env jsonb not null,
      "secretNames" jsonb not null,
      "minInstances" integer not null,
      "idleSeconds" integer not null,
      secrets text,
      desired text not null default 'off',
      observed text not null default 'off',
      reason text,
      capabilities jsonb not null default '[]',
      "lastSeen" timestamptz,
      deployment integer not null default 0,
      deployed text,
      candidate text,
      failures integer not null default 0,
      "restartAt" timestamptz,
      "usedAt" timestamptz not null default now(),
      "deployedAt" timestamptz,
      version integer not null default 0,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on runtimes.runtime (id)')
  await knex.raw('create unique index runtime_of_agent on runtimes.runtime (project, "agentId")')
  await knex.raw(
    `create index runtime_wanted on runtimes.runtime (project, id) where desired = 'awake' or candidate is not null`
  )
  await knex.raw(`
    create table runtimes.process (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "agentId" text collate "C" not null,
      "runtimeId" text collate "C" not null,
      deployment integer not null,
      state text not null,
      instance integer not null,
      credentials text[] not null default '{}',
      "credentialEndsAt" timestamptz,
      "createdAt" timestamptz not null default now(),
      "readyAt" timestamptz,
      "lastSeenAt" timestamptz,
      "drainingAt" timestamptz,
      "endedAt" timestamptz,
      "exitCode" integer,
      signal text,
      reason text,
      output text not null default '',
      primary key (project, id)
    )`)
  await knex.raw('create index on runtimes.process (id)')
  await knex.raw('create index process_of_agent on runtimes.process (project, "agentId", id)')
  await knex.raw(
    `create index process_live on runtimes.process (project, "runtimeId") where state <> 'ended'`
  )
  await knex.raw(`
    create table runtimes.turn (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "agentId" text collate "C" not null,
      "runtimeId" text collate "C" not null,
      "runId" text collate "C" not null,
      step integer not null,
      attempt integer not null,
      "processId" text collate "C",
      status text not null,
      last integer not null default -1,
      characters integer not null default 0,
      body jsonb not null,
      "createdAt" timestamptz not null default now(),
      "endedAt" timestamptz,
      primary key (project, id)
    )`)
  await knex.raw('create index on runtimes.turn (id)')
  await knex.raw('create unique index turn_of_run on runtimes.turn (project, "runId", step)')
  await knex.raw('create index turn_of_agent on runtimes.turn (project, "agentId")')
  await knex.raw(
    `create index turn_open on runtimes.turn (project, "runtimeId") where status in ('queued', 'given')`
  )
  await knex.raw('create index turn_by_time on runtimes.turn (project, "createdAt")')
}

export async function down(knex: Knex) {
  await knex.raw('drop table runtimes.turn')
  await knex.raw('drop table runtimes.process')
  await knex.raw('drop table runtimes.runtime')
}
