import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw(`
    create table denials.denial (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text not null,
      "requestId" text not null,
      method text not null,
      route text,
      code text,
      message text not null,
      param text,
      caller jsonb not null,
      resource jsonb not null,
      "createdAt" timestamptz not null,
      primary key (project, id)
    )`)
  await knex.raw('create index on denials.denial (id)')
  await knex.raw('create index on denials.denial (project, owner, id)')
  await knex.raw('create index on denials.denial (project, "requestId")')
}

export async function down(knex: Knex) {
  await knex.raw('drop table denials.denial')
}
