import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw(`
    create function credits.window_of(period text) returns text language sql stable as $$
      select case period when 'day' then to_char(now() at time zone 'UTC', 'YYYY-MM-DD')
        when 'month' then to_char(now() at time zone 'UTC', 'YYYY-MM') else '' end
    $$`)
  // "spent" counts within "window", the day or month of the latest charge; "told" is the share of which facts spoke there.
  await knex.raw(`
    create table credits.cap (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "agentId" text collate "C",
      "sessionId" text collate "C",
      period text not null check (period in ('day', 'month', 'total')),
      "limit" bigint not null check ("limit" >= 0),
      spent bigint not null default 0,
      reserved bigint not null default 0 check (reserved >= 0),
      "window" text not null,
      told integer not null default 0,
      version integer not null default 1,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on credits.cap (id)')
  await knex.raw('create index on credits.cap (project, owner, id)')
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('credits').dropTable('cap')
  await knex.raw('drop function credits.window_of(text)')
}
