import type { Fact, Trx } from 'agent-platform'
import type { State } from '../schemas/tasks.ts'
import type { PeerTaskStore } from '../stores/tasks.ts'
import type { PushDeliveries } from './deliveries.ts'

interface Deps {
  peerTaskStore: PeerTaskStore
  pushDeliveries: PushDeliveries
}

type AboutRun = Pick<Fact<{ readonly runId: string; readonly sessionId: string }>, 'project' | 'data' | 'at'>

/** What the facts about runs make of those that are tasks, all of a project that are there together in one go. */
export function createPeerProgress({ peerTaskStore, pushDeliveries }: Deps) {
  return {
    async begun(facts: readonly AboutRun[], trx: Trx): Promise<void> {
      for (const [project, about] of Map.groupBy(facts, (fact) => fact.project)) {
        const sessions = new Map(about.map(({ data }) => [data.runId, data.sessionId]))
        await peerTaskStore.updateBegun(trx, project, sessions)
      }
    },

    moved:
      (state: State) =>
      async (facts: readonly AboutRun[], trx: Trx): Promise<void> => {
        for (const [project, about] of Map.groupBy(facts, (fact) => fact.project)) {
          const moved = new Map(about.map(({ data, at }) => [data.runId, at]))
          const changed = await peerTaskStore.updateStates(trx, project, moved, state)
          await pushDeliveries.announce(trx, project, changed)
        }
      }
  }
}
