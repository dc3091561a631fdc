import type { Test } from 'tap'
import type { StreamedEvent } from '../../plugins/workflows/test/testbed.ts'
import { eventsUntil, isLast } from '../../plugins/workflows/test/testbed.ts'
import type { Booted } from '../boot.ts'
import type { Client } from '../client.ts'
import { until } from '../packs/stage.ts'

/** Where executions are begun and decided. */
export interface Place {
  readonly url: string
  readonly client: Client
}
type Scope = Pick<Test, 'match' | 'same'>

/** Events for the steps `parcel` of a workflow, by its webhook. */
export async function parcelsFor(t: Scope, home: Booted, owner: Client, workflowId: string) {
  const minted = await owner.post(`/v1/workflows/${workflowId}/webhook-token`, {
    event: { event: 'parcel', key: '{{ body.key }}', data: '{{ body.data }}' }
  })
  t.match(minted, { status: 201 })
  const { knex } = home.platform

  /** Again elsewhere where it is not known what became of it: by its id it is one delivery. */
  async function deliver(at: Pick<Place, 'url'>, key: string, data: string) {
    const send = (url: string) =>
      fetch(`${url}/v1/workflows/webhooks/${minted.body.data.token}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'webhook-id': `${key} ${data}` },
        body: JSON.stringify({ key, data })
      }).catch(() => undefined)
    const reply = await send(at.url)
    if (reply?.status === 202) return reply.json()
    const again = await until(
      () => send(home.url),
      (reply) => reply?.status === 202
    )
    return again?.json()
  }

  return {
    /** One that comes before its execution. */
    async sendEarly(at: Place, key: string): Promise<void> {
      t.match(await deliver(at, key, 'early'), { data: { executionId: null } }, 'it is kept')
    },

    /** One that comes while its step begins to wait. */
    async sendLate(at: Place, key: string, path: string): Promise<void> {
      const isNear = (event: StreamedEvent) => event.path === 'order' && event.status === 'completed'
      const following = eventsUntil(at, at.client, path, (event) => isNear(event) || isLast(event))
      // It breaks off where the instance is killed meanwhile.
      await following.catch(() => undefined)
      await deliver(at, key, 'late')
    },

    /** Each was taken by a step of its own. */
    async account(executionId: string, key: string): Promise<void> {
      const takers = await knex('workflows.event').where({ workflowId, key }).pluck('takenBy')
      const waited = await knex('workflows.step').where({ executionId, stepId: 'parcel' }).pluck('id')
      t.same(takers.sort(), waited.sort(), 'each event was taken once, and none was lost')
    }
  }
}
