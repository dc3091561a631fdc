import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // "clientSecret" is sealed. "generation" counts the edits after which another connection is needed.
  await knex.raw(`
    create table mcp.server (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text not null,
      name text not null,
      transport text not null check (transport in ('http', 'sse', 'stdio')),
      url text,
      command text,
      args text[] not null default '{}',
      auth jsonb not null,
      "clientSecret" text,
      status text not null default 'new'
        check (status in ('new', 'connected', 'disconnected', 'unauthorized', 'error')),
      "statusReason" text,
      "protocolVersion" text,
      identity jsonb,
      "lastSyncAt" timestamptz,
      generation integer not null default 1,
      version integer not null default 1,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on mcp.server (id)')
  await knex.raw('create unique index server_name on mcp.server (project, owner, name)')
}

export async function down(knex: Knex) {
  await knex.raw('drop table mcp.server')
}
