import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // "missing": the server no longer lists it.
  await knex.raw(`
    create table mcp.tool (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text not null,
      "serverId" text collate "C" not null,
      name text not null,
      "toolId" text collate "C" not null,
      "toolName" text not null,
      definition jsonb not null,
      digest text not null,
      "approvedDigest" text,
      missing boolean not null default false,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on mcp.tool (id)')
  await knex.raw('create unique index tool_name on mcp.tool (project, "serverId", name)')
  await knex.raw('create unique index tool_tool on mcp.tool (project, "toolId")')
  for (const [table, key] of [
    ['resource', 'uri'],
    ['prompt', 'name']
  ]) {
    await knex.raw(`
      create table mcp.${table} (
        project text collate "C" not null,
        id text collate "C" not null,
        owner text not null,
        "serverId" text collate "C" not null,
        ${key} text not null,
        definition jsonb not null,
        primary key (project, id)
      )`)
    await knex.raw(`create index on mcp.${table} (id)`)
    await knex.raw(`create index ${table}_server on mcp.${table} (project, "serverId")`)
  }
}

export async function down(knex: Knex) {
  for (const table of ['prompt', 'resource', 'tool']) await knex.raw(`drop table mcp.${table}`)
}
