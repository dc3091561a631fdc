import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw('create index run_owner on runs.run (project, owner, id)')
  // Few of all runs: a list of them alone would go through those that completed.
  await knex.raw(`create index run_unsuccessful on runs.run (project, status, id)
    where status in ('failed', 'cancelled')`)
}

export async function down(knex: Knex) {
  await knex.raw('drop index runs.run_owner')
  await knex.raw('drop index runs.run_unsuccessful')
}
