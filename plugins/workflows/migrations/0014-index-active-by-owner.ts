import type { Knex } from 'knex'

const active = `where "endedAt" is null and status in ('queued', 'running')`

export async function up(knex: Knex) {
  // Owners take turns in what goes on next.
  await knex.raw(`create index execution_turn on workflows.execution (project, owner, id) ${active}`)
  await knex.raw('drop index workflows.execution_active')
}

export async function down(knex: Knex) {
  await knex.raw(`create index execution_active on workflows.execution (id) ${active}`)
  await knex.raw('drop index workflows.execution_turn')
}
