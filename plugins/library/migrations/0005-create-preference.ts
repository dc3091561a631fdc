import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw('alter table library.item add column cid text')
  // Those that want one, of owners who prefer that.
  await knex.raw('create index item_unaddressed on library.item (project, owner, id) where cid is null')
  await knex.raw(`
    create table library.preference (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text not null,
      storage text not null check (storage in ('object', 'content-addressed')),
      version integer not null default 0,
      "updatedAt" timestamptz not null default now(),
      primary key (project, id),
      unique (project, owner)
    )`)
  await knex.raw('create index on library.preference (id)')
}

export async function down(knex: Knex) {
  await knex.raw('drop table library.preference')
  await knex.raw('alter table library.item drop column cid')
}
