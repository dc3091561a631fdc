import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // The id is that of a run.
  await knex.raw(`
    create table computers.request (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "agentId" text collate "C" not null,
      "createdAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on computers.request (id)')
  await knex.raw('create index request_of_agent on computers.request (project, "agentId")')
  await knex.raw('create index request_by_time on computers.request (project, "createdAt")')
}

export async function down(knex: Knex) {
  await knex.raw('drop table computers.request')
}
