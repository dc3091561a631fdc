import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // The number names the folder of a computer, and the user of the system that it runs as: it is never given again.
  await knex.raw(`
    create table computers.computer (
      project text collate "C" not null,
      id text collate "C" not null,
      number integer generated always as identity,
      owner text collate "C" not null,
      "agentId" text collate "C" not null,
      enabled boolean not null,
      provider text not null,
      vcpu float8 not null,
      "memoryMb" integer not null,
      "storageMb" integer not null,
      gpu integer not null,
      "allowedHosts" jsonb not null,
      "idleSeconds" integer not null,
      desired text not null default 'off',
      state text not null default 'off',
      reason text,
      instance integer,
      "storageBytes" float8 not null default 0,
      "wokeAt" timestamptz,
      "changedAt" timestamptz not null default now(),
      version integer not null default 0,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on computers.computer (id)')
  await knex.raw('create unique index computer_of_agent on computers.computer (project, "agentId")')
  await knex.raw(
    'create index computer_held on computers.computer (project, instance) where instance is not null'
  )
  await knex.raw(`
    create table computers.event (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "agentId" text collate "C" not null,
      "computerId" text collate "C" not null,
      type text not null,
      reason text,
      "createdAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on computers.event (id)')
  await knex.raw('create index event_of_agent on computers.event (project, "agentId", id)')
  await knex.raw('create index event_by_time on computers.event (project, "createdAt")')
  await knex.raw(`
    create table computers.command (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "agentId" text collate "C" not null,
      "computerId" text collate "C" not null,
      source text not null,
      status text not null,
      command text,
      argv jsonb,
      cwd text not null,
      "timeLimit" integer not null,
      "exitCode" integer,
      signal text,
      reason text,
      stdout text not null default '',
      stderr text not null default '',
      "stdoutBytes" float8 not null default 0,
      "stderrBytes" float8 not null default 0,
      "stdoutFile" text,
      "stderrFile" text,
      milliseconds integer,
      instance integer,
      sealed text,
      "createdAt" timestamptz not null default now(),
      "startedAt" timestamptz,
      "endedAt" timestamptz,
      primary key (project, id)
    )`)
  await knex.raw('create index on computers.command (id)')
  await knex.raw('create index command_of_agent on computers.command (project, "agentId", id)')
  await knex.raw('create index command_by_time on computers.command (project, "createdAt")')
  await knex.raw(
    `create index command_open on computers.command (project, "computerId", id) where status in ('queued', 'running')`
  )
}

export async function down(knex: Knex) {
  await knex.raw('drop table computers.command')
  await knex.raw('drop table computers.event')
  await knex.raw('drop table computers.computer')
}
