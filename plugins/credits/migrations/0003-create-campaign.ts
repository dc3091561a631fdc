import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw(`
    create table credits.campaign (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      name text not null,
      amount bigint not null check (amount > 0),
      budget bigint not null,
      claimed bigint not null default 0 check (claimed between 0 and budget),
      "startsAt" timestamptz not null,
      "endsAt" timestamptz,
      version integer not null default 1,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on credits.campaign (id)')
  await knex.raw(`
    create table credits.claim (
      project text collate "C" not null,
      "campaignId" text collate "C" not null,
      owner text collate "C" not null,
      "claimedAt" timestamptz not null default now(),
      primary key (project, "campaignId", owner)
    )`)
}

export async function down(knex: Knex) {
  for (const table of ['claim', 'campaign']) await knex.schema.withSchema('credits').dropTable(table)
}
