import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw(`
    create table liaison.liaison (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "agentId" text collate "C" not null,
      name text not null,
      "standsFor" jsonb not null,
      purpose text not null,
      "mayTell" text,
      greeting text,
      "dailyMessages" integer not null,
      "expiresAt" timestamptz,
      -- SHA-256 of the secret part of the token.
      "tokenHash" bytea not null,
      -- What outsiders have said that day, against the cap.
      day date,
      messages integer not null default 0,
      version integer not null default 1,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index liaison_id on liaison.liaison (id)')
  await knex.raw('create unique index liaison_agent on liaison.liaison (project, "agentId")')
  await knex.raw('create index liaison_owner on liaison.liaison (project, owner, id)')

  await knex.raw(`
    create table liaison.outsider (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "liaisonId" text collate "C" not null,
      "agentId" text collate "C" not null,
      name text,
      "sessionId" text collate "C",
      messages integer not null default 0,
      "blockedAt" timestamptz,
      "tokenHash" bytea not null,
      version integer not null default 1,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index outsider_id on liaison.outsider (id)')
  await knex.raw('create index outsider_liaison on liaison.outsider (project, "liaisonId", id)')
}

export async function down(knex: Knex) {
  await knex.raw('drop table liaison.outsider')
  await knex.raw('drop table liaison.liaison')
}
