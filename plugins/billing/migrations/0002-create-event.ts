import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // What a provider told, once: "id" is <provider>:<its id>. How things are then is asked for.
  await knex.raw(`
    create table billing.event (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      provider text not null,
      type text not null,
      kind text not null,
      "subjectId" text not null,
      "createdAt" timestamptz not null default now(),
      "handledAt" timestamptz,
      primary key (project, id)
    )`)
  await knex.raw('create index on billing.event (id)')
  await knex.raw('create index on billing.event (project, owner) where "handledAt" is null')
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('billing').dropTable('event')
}
