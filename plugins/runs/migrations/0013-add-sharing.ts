import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // Who showed a run to everybody of its project, and when; null where it is its owner's alone.
  await knex.raw('alter table runs.run add column "sharedBy" text, add column "sharedAt" timestamptz')
}

export async function down(knex: Knex) {
  await knex.raw('alter table runs.run drop column "sharedBy", drop column "sharedAt"')
}
