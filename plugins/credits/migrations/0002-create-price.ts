import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // Versions: the one in force is the latest that had begun. None is ever changed.
  await knex.raw(`
    create table credits.price (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      kind text not null check (kind in ('model', 'tool')),
      target text collate "C" not null,
      input bigint not null default 0,
      cached bigint not null default 0,
      output bigint not null default 0,
      call bigint not null default 0,
      "createdAt" timestamptz not null default clock_timestamp(),
      primary key (project, id)
    )`)
  await knex.raw('create index on credits.price (id)')
  await knex.raw('create index on credits.price (project, kind, target, "createdAt" desc)')
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('credits').dropTable('price')
}
