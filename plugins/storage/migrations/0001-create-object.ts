import type { Knex } from 'knex'

// Objects belong to no project: the same bytes lie there once, and who may read them decides what holds them.
export async function up(knex: Knex) {
  await knex.raw(`
    create table storage.object (
      sha256 text collate "C" primary key,
      size bigint not null,
      "createdAt" timestamptz not null default now(),
      "touchedAt" timestamptz not null default now()
    )`)
  await knex.raw('create index object_touched on storage.object ("touchedAt")')
  await knex.raw(`
    create table storage.reference (
      holder text collate "C" not null,
      sha256 text collate "C" not null references storage.object,
      "createdAt" timestamptz not null default now(),
      primary key (holder, sha256)
    )`)
  await knex.raw('create index reference_object on storage.reference (sha256)')
}

export async function down(knex: Knex) {
  await knex.raw('drop table storage.reference')
  await knex.raw('drop table storage.object')
}
