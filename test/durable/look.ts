import type { Test } from 'tap'
import { eventsUntil, execute, workflowOf } from '../../plugins/workflows/test/testbed.ts'
import { until } from '../packs/stage.ts'
import type { Place } from './parcels.ts'
import { parcelsFor } from './parcels.ts'
import type { Scene } from './scene.ts'
import { call } from './workflow.ts'

/**
 * An execution there whose step waits by the record, for an event that came before, and which has yet to look for that: it
 * cannot until `finish`, which says that it ended as it should. Until then no fact arrives: a transaction is open.
 */
export async function beforeItsLook(t: Pick<Test, 'match' | 'same'>, scene: Scene, at: Place) {
  const { home, ada, ledger, agentId } = scene
  const { knex } = home.platform
  const key = 'look'
  const workflowId = await workflowOf(ada, [
    call(agentId, 'order', 'order', key),
    { id: 'parcel', type: 'wait', dependsOn: ['order'], config: { event: 'parcel', key } }
  ])
  const parcels = await parcelsFor(t, home, ada, workflowId)
  await parcels.sendEarly(at, key)
  const order = ledger.hold((_, what) => what === key)
  const { id, path } = await execute(at.client, workflowId)
  await order.asked
  const lock = await knex.transaction()
  await lock('workflows.workflow').where({ id: workflowId }).forUpdate()
  order.release()
  await until(
    () => knex('workflows.step').where({ executionId: id, stepId: 'parcel' }).first('status'),
    (step) => step?.status === 'waiting'
  )
  await until(
    () =>
      knex('pg_stat_activity')
        .where({ wait_event_type: 'Lock' })
        .whereRaw('datname = current_database()')
        .whereLike('query', '%"workflows"."workflow"%'),
    ({ length }) => length > 0
  )
  return {
    async finish(): Promise<void> {
      await lock.commit()
      const events = await eventsUntil(home, ada, path)
      t.match(events, { [events.findIndex(({ status }) => status === 'resumed')]: { status: 'resumed' } })
      t.match((await ada.get(path)).body.data, { status: 'completed', output: { parcel: 'early' } })
      await parcels.account(id, key)
    }
  }
}
