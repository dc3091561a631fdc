import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // "root" is that of a bundle's tree; "batch" that of a tree over such roots, which is what stands on the chain.
  await knex.raw(`
    create table provenance.anchor (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "traceId" text collate "C" not null,
      root text collate "C" not null,
      status text not null check (status in ('pending', 'confirmed')),
      batch jsonb,
      network text,
      "chainId" integer,
      "transaction" text collate "C",
      failure text,
      "createdAt" timestamptz not null default now(),
      "confirmedAt" timestamptz,
      primary key (project, id)
    )`)
  await knex.raw('create index on provenance.anchor (id)')
  await knex.raw('create unique index on provenance.anchor (project, "traceId", root)')
  await knex.raw(`create index on provenance.anchor (project, id) where status = 'pending'`)
}

export async function down(knex: Knex) {
  await knex.raw('drop table provenance.anchor')
}
