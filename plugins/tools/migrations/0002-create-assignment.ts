import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // "owner" is the agent's, through whom the agent holds what is his; "toolId" of a static tool is its name.
  await knex.raw(`
    create table tools.assignment (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text not null,
      "agentId" text collate "C" not null,
      "toolId" text collate "C" not null,
      policy text not null check (policy in ('allow', 'ask', 'deny')),
      enabled boolean not null,
      version integer not null default 1,
      "createdAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on tools.assignment (id)')
  await knex.raw('create index assignment_of_tool on tools.assignment (project, "toolId")')
  // Of two that cost the same while a table is empty the planner takes the later one: the finest comes last.
  await knex.raw('create unique index assignment_tool on tools.assignment (project, "agentId", "toolId")')
}

export async function down(knex: Knex) {
  await knex.raw('drop table tools.assignment')
}
