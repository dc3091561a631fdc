import type { Knex } from 'knex'

// Neither names what changes while most steps go on, so that an update of those touches no index.
const awaiting = `awaits and kind in ('approval', 'wait')`

export async function up(knex: Knex) {
  await knex.raw(`create index step_awaiting on workflows.step (project, owner, id) where ${awaiting}`)
  await knex.raw(
    `create index step_asked on workflows.step using gin ((input->'principals') jsonb_path_ops)
      where ${awaiting} and kind = 'approval'`
  )
}

export async function down(knex: Knex) {
  await knex.raw('drop index workflows.step_asked')
  await knex.raw('drop index workflows.step_awaiting')
}
