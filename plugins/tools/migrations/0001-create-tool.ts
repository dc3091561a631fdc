import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // "unavailable" says why the pack that keeps a tool does not offer it.
  await knex.raw(`
    create table tools.tool (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text not null,
      kind text not null,
      name text collate "C" not null,
      description text not null,
      parameters jsonb not null,
      config jsonb not null,
      idempotent boolean not null,
      unavailable text,
      version integer not null default 1,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on tools.tool (id)')
  await knex.raw('create index tool_owner on tools.tool (project, owner, id)')
  // Of two that cost the same while a table is empty the planner takes the later one: the finest comes last.
  await knex.raw('create unique index tool_name on tools.tool (project, name)')
}

export async function down(knex: Knex) {
  await knex.raw('drop table tools.tool')
}
