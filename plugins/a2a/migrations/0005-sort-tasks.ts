import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw(`
    create index task_told_index
    on a2a.task (project, "agentId", owner, (coalesce("endedAt", "createdAt")) desc, id desc)`)
}

export async function down(knex: Knex) {
  await knex.raw('drop index a2a.task_told_index')
}
