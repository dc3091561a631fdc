import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw(`
    create table files.avatar (
      project text collate "C" not null,
      "agentId" text collate "C" not null,
      owner text not null,
      size integer not null,
      sha256 text not null,
      "updatedAt" timestamptz not null default now(),
      primary key (project, "agentId")
    )`)
}

export async function down(knex: Knex) {
  await knex.raw('drop table files.avatar')
}
