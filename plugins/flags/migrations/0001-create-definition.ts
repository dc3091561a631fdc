import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // Flags are the platform's: what they say of a project or a principal is in their targeting.
  await knex.raw(`
    create table flags.definition (
      key text collate "C" primary key,
      definition jsonb not null,
      version integer not null default 1,
      "updatedBy" text not null,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null default now()
    )`)
}

export async function down(knex: Knex) {
  await knex.raw('drop table flags.definition')
}
