import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // "refreshingBy" is the instance that has the lease of "refreshingUntil"; a lease that is still there when the next one
  // is taken is of one that was killed. "generation" counts tokens.
  await knex.raw(`
    create table connections.connection (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text not null,
      "providerKey" text not null,
      name text not null,
      account text,
      "accountId" text,
      scopes jsonb not null default '[]',
      status text not null,
      "statusReason" text,
      "expiresAt" timestamptz,
      sealed text,
      generation integer not null default 0,
      "refreshingUntil" timestamptz,
      "refreshingBy" integer,
      "retryAt" timestamptz,
      "removingSince" timestamptz,
      version integer not null default 1,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on connections.connection (id)')
  await knex.raw('create index connection_owner on connections.connection (project, owner, id)')
  await knex.raw(`
    create index connection_left on connections.connection (project, "removingSince")
      where "removingSince" is not null`)
  await knex.raw(`
    create table connections.authorization_request (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text not null,
      "connectionId" text collate "C" not null,
      "providerKey" text not null,
      hash text not null,
      "browserHash" text,
      sealed text not null,
      scopes jsonb not null,
      "returnUrl" text,
      actor jsonb not null,
      "expiresAt" timestamptz not null,
      primary key (project, id)
    )`)
  await knex.raw('create index on connections.authorization_request (id)')
  await knex.raw('create index request_owner on connections.authorization_request (project, owner, id)')
}

export async function down(knex: Knex) {
  await knex.raw('drop table connections.authorization_request')
  await knex.raw('drop table connections.connection')
}
