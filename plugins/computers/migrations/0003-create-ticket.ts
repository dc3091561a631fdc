import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // The id is a digest: the ticket itself is shown once, and kept nowhere.
  await knex.raw(`
    create table computers.ticket (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "agentId" text collate "C" not null,
      "principal" jsonb not null,
      "createdAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on computers.ticket (id)')
  await knex.raw('create index ticket_of_agent on computers.ticket (project, "agentId")')
  await knex.raw('create index ticket_by_time on computers.ticket (project, "createdAt")')
}

export async function down(knex: Knex) {
  await knex.raw('drop table computers.ticket')
}
