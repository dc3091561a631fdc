import { setTimeout as delay } from 'node:timers/promises'
import type { Fact, Kernel, Trx } from 'agent-platform'
import type { RemovalStore } from '../stores/removals.ts'

interface Deps extends Pick<Kernel, 'transaction' | 'points' | 'advance' | 'credentials' | 'log'> {
  removalStore: RemovalStore
}

const BATCH = 500
const FIRST_MS = 250
const LONGEST_MS = 60_000

/**
 * What packs keep for agents that are gone is removed in steps of one batch each. Which pack still owes what
 * lies in the record, so that a pack that was off at the time does its part when it is on again.
 */
export function createRemovalService({ transaction, points, advance, credentials, log, removalStore }: Deps) {
  const keepers = () => [...new Set(points.all('agents.belongings').map(({ pack }) => pack))]

  /** Until all is done; what fails is tried again, less and less often. */
  async function goOn(): Promise<void> {
    for (let wait = FIRST_MS; ; wait = Math.min(2 * wait, LONGEST_MS))
      try {
        await advance('remove', 'all')
        return
      } catch (error) {
        log.warn({ err: error }, 'removals are tried again')
        // Another generation goes on with them, when the pack is on again.
        if ((error as { code?: unknown }).code === 'pack_off') return
        await delay(wait, undefined, { ref: false })
      }
  }

  /** After the commit that says an agent is gone, on whichever instance hears of it. */
  async function begin({ project, data }: Fact<{ id: string }>, trx: Trx) {
    // Whoever deleted it did so too, unless he was killed before.
    await credentials.revokePrincipal(project, data.id)
    void trx.executionPromise?.then(goOn, () => undefined)
  }

  /** In every generation: packs that keep something are remembered, and what waited for them is done. */
  async function resume() {
    void goOn()
    await removalStore.remember(keepers())
  }

  async function removeSome(): Promise<'again' | 'done'> {
    return transaction(async (trx) => {
      const debt = await removalStore.take(trx, keepers())
      if (!debt) return 'done'
      const { pack, project, agentId } = debt
      let removed = 0
      for (const { value } of points.all('agents.belongings').filter((it) => it.pack === pack))
        removed += await value.remove(project, agentId, trx, BATCH)
      if (removed === 0) await removalStore.settle(trx, debt)
      return 'again'
    })
  }

  return { begin, resume, removeSome }
}
