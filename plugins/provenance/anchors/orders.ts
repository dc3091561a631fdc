import type { Trx } from 'agent-platform'
import { newId } from 'agent-platform'
import type { Jobs } from '../../jobs/contract.ts'
import type { ProvenanceSettings } from '../settings.ts'
import type { AnchorRow, AnchorStore } from '../stores/anchors.ts'

export type AnchorOrders = ReturnType<typeof createAnchorOrders>

interface Deps {
  settings: ProvenanceSettings
  jobs: Jobs
  anchorStore: AnchorStore
}

/** What is to be anchored, written down to be done soon. */
export function createAnchorOrders({ settings, jobs, anchorStore }: Deps) {
  /** In that transaction; what was ordered before stays as it is. */
  async function add(
    trx: Trx,
    orders: readonly Pick<AnchorRow, 'project' | 'owner' | 'traceId' | 'root'>[]
  ): Promise<void> {
    if (orders.length === 0) return
    // Orders of the same time go together.
    const wait = settings.anchorSeconds * 1_000
    const turn = Math.floor(Date.now() / wait) + 1
    for (const order of orders) await anchorStore.insert(trx, { ...order, id: newId('anchor') })
    await jobs.send('provenance.anchor', {}, { trx, key: String(turn), at: new Date(turn * wait) })
  }

  return { add }
}
