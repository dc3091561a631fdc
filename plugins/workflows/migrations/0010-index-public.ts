import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // The few that everyone may read, of all projects.
  await knex.raw(
    `create index workflow_public_index on workflows.workflow (project, id) where visibility = 'public'`
  )
}

export async function down(knex: Knex) {
  await knex.raw('drop index workflows.workflow_public_index')
}
