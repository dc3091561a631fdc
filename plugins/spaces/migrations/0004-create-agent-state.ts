import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // Of agents that are members of spaces: what they do, as facts say, and where they are, as they say.
  await knex.raw(`
    create table spaces.agent_state (
      project text collate "C" not null,
      "agentId" text collate "C" not null,
      "runIds" jsonb not null default '[]',
      place text,
      note text,
      "reportedAt" timestamptz,
      primary key (project, "agentId")
    )`)
}

export async function down(knex: Knex) {
  await knex.raw('drop table spaces.agent_state')
}
