import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // Null of those that are there: when they were made was not kept.
  await knex.raw('alter table workflows.version add column "createdAt" timestamptz')
  await knex.raw('alter table workflows.version alter column "createdAt" set default now()')
}

export async function down(knex: Knex) {
  await knex.raw('alter table workflows.version drop column "createdAt"')
}
