import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // One of a server; "refreshingUntil" is the lease of whoever refreshes.
  await knex.raw(`
    create table mcp."authorization" (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text not null,
      "serverId" text collate "C" not null,
      sealed text not null,
      "expiresAt" timestamptz,
      "refreshingUntil" timestamptz,
      "updatedAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on mcp."authorization" (id)')
  await knex.raw('create unique index authorization_server on mcp."authorization" (project, "serverId")')
  await knex.raw(`
    create table mcp.authorization_request (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text not null,
      "serverId" text collate "C" not null,
      hash text not null,
      sealed text not null,
      actor jsonb not null,
      "expiresAt" timestamptz not null,
      primary key (project, id)
    )`)
  await knex.raw('create index on mcp.authorization_request (id)')
  await knex.raw(
    'create index authorization_request_server on mcp.authorization_request (project, "serverId")'
  )
}

export async function down(knex: Knex) {
  await knex.raw('drop table mcp.authorization_request')
  await knex.raw('drop table mcp."authorization"')
}
