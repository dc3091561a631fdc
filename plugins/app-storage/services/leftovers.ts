import type { Kernel, RemoveSome, Trx } from 'agent-platform'
import { newId } from 'agent-platform'
import type { Jobs } from '../../jobs/contract.ts'
import type { Place } from '../stores/data-store.ts'
import type { Leftover, PlacementStore } from '../stores/placements.ts'
import type { StoreConnections } from './connections.ts'
import { targetOf } from './connections.ts'

export type Leftovers = ReturnType<typeof createLeftovers>
export const CLEAR_QUEUE = 'app-storage.clear'

/** Who read where the data lies before it moved has read it by then. */
const GRACE_MS = 30_000
const BATCH = 500
const TRIES = 10

interface Deps extends Pick<Kernel, 'log'> {
  jobs: Jobs
  placementStore: PlacementStore
  storeConnections: StoreConnections
}

/** Data of apps in stores that are not theirs any more: removed in the background, where that can be reached. */
export function createLeftovers({ log, jobs, placementStore, storeConnections }: Deps) {
  async function add(trx: Trx, leftover: Omit<Leftover, 'tries'>, graceMs = GRACE_MS): Promise<void> {
    await placementStore.insertLeftover(trx, leftover)
    const { project, appId, token } = leftover
    await jobs.send(CLEAR_QUEUE, { project, appId, token }, { trx, inSeconds: graceMs / 1_000 })
  }

  async function work(data: object, signal: AbortSignal): Promise<void> {
    const key = data as Place & { token: string }
    const found = await placementStore.findLeftover(key)
    if (!found) return
    try {
      await clear(found, signal)
    } catch (error) {
      if (signal.aborted) throw error
      const tries = found.tries + 1
      if (tries < TRIES) {
        await placementStore.updateLeftover(key, tries)
        throw error
      }
      log.warn({ err: error, app: key.appId }, 'data of an app stays in a store that cannot be reached')
    }
    await placementStore.removeLeftover(key)
  }

  async function clear(leftover: Leftover, signal: AbortSignal): Promise<void> {
    const { project, appId, token, whole } = leftover
    const place = { project, appId }
    await storeConnections.use(leftover, async (store) => {
      // It may have come back meanwhile: what the app uses is not left over.
      const isUsed = async () => {
        const state = (await store.usage(place))?.state
        return !whole && state !== 'moved'
      }
      do {
        signal.throwIfAborted()
        if (await isUsed()) return
      } while ((await store.clear(place, BATCH, whole)) > 0)
    })
    log.info({ app: appId, move: token }, 'data of an app was removed where it lies no more')
  }

  /** Of an app that is gone: in stores outside nothing of it stays, either. */
  const removeOfApp: RemoveSome = async ({ project, id: appId }, trx) => {
    const row = await placementStore.remove(trx, { project, appId })
    if (!row) return 0
    for (const { provider, connection } of [row, targetOf(row)])
      if (connection !== null)
        await add(trx, { project, appId, token: newId('gone'), provider, connection, whole: true }, 0)
    return 1
  }

  return { add, work, removeOfApp }
}
