import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw(`
    create table evaluations.dataset (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      name text not null,
      description text,
      "itemCount" integer not null default 0,
      version integer not null default 1,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index dataset_id on evaluations.dataset (id)')
  await knex.raw('create index dataset_owner on evaluations.dataset (project, owner, id)')

  await knex.raw(`
    create table evaluations.item (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "datasetId" text collate "C" not null,
      input text not null,
      expected text,
      metadata jsonb not null default '{}',
      "runId" text collate "C",
      -- Of input, expected outcome and metadata.
      characters integer not null,
      version integer not null default 1,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index item_id on evaluations.item (id)')
  await knex.raw('create index item_dataset on evaluations.item (project, "datasetId", id)')
  // Feedback about a run makes one item of a dataset, however often it is given.
  await knex.raw(
    'create unique index item_run on evaluations.item (project, "datasetId", "runId") where "runId" is not null'
  )
}

export async function down(knex: Knex) {
  await knex.raw('drop table evaluations.item')
  await knex.raw('drop table evaluations.dataset')
}
