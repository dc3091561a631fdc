import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // Passages that a run was given, under the numbers by which it cites them.
  await knex.raw(`
    create table knowledge.citation (
      project text collate "C" not null,
      "runId" text collate "C" not null,
      n integer not null,
      "agentId" text collate "C" not null,
      "sessionId" text collate "C" not null,
      "spaceId" text collate "C" not null,
      "documentId" text collate "C",
      version integer,
      "start" integer not null,
      "end" integer not null,
      title text not null,
      url text,
      "createdAt" timestamptz not null default now(),
      primary key (project, "runId", n)
    )`)
  await knex.raw('create index on knowledge.citation (project, "agentId")')
  await knex.raw('create index on knowledge.citation (project, "sessionId")')
  await knex.raw('create index on knowledge.citation (project, "spaceId")')
}

export async function down(knex: Knex) {
  await knex.raw('drop table knowledge.citation')
}
