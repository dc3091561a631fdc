import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw('create index call_tool on tools.call (project, "toolId", id)')
}

export async function down(knex: Knex) {
  await knex.raw('drop index tools.call_tool')
}
