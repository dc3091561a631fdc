import type { Kernel } from 'agent-platform'
import type { Worker } from '../../jobs/contract.ts'
import type { Collection } from '../contract.ts'
import type { Kept } from '../stores/absences.ts'
import type { EntryStore } from '../stores/entries.ts'
import type { LossStore } from '../stores/losses.ts'
import type { Embeddings } from './embeddings.ts'

export type Refills = ReturnType<typeof createRefills>

/** Entries that are put in one transaction. */
const BATCH = 500

interface Deps extends Pick<Kernel, 'points' | 'transaction' | 'log'> {
  entryStore: EntryStore
  lossStore: LossStore
  embeddings: Embeddings
}

/** Puts entries again that went while their pack was off, once it is back. */
export function createRefills({ points, transaction, log, entryStore, lossStore, embeddings }: Deps) {
  /** How many were put; none: all are there. */
  const putSome = (kept: Kept, { list }: Collection): Promise<number> =>
    transaction(async (trx) => {
      const { project, collection } = kept
      const after = await lossStore.take(trx, kept)
      if (after === undefined) return 0
      const entries = await list(trx, project, after, BATCH)
      const last = entries.at(-1)
      if (!last) {
        await lossStore.remove(trx, kept)
        return 0
      }
      for (const [owner, some] of Map.groupBy(entries, (entry) => entry.owner))
        await entryStore.insert(trx, { project, owner }, collection, some)
      await embeddings.begin(
        trx,
        project,
        collection,
        entries.map(({ id }) => id)
      )
      await lossStore.update(trx, kept, last.id)
      return entries.length
    })

  async function refill(signal: AbortSignal): Promise<void> {
    const present = new Map(points.all('retrieval.collection').map(({ key = '', value }) => [key, value]))
    for (const kept of await lossStore.list([...present.keys()])) {
      let all = 0
      for (let count = 1; count > 0; all += count) {
        signal.throwIfAborted()
        count = await putSome(kept, present.get(kept.collection) as Collection)
      }
      log.info({ ...kept, count: all }, 'entries that were removed were put again: their pack is back')
    }
  }

  const worker: Worker = { work: (_, signal) => refill(signal), cron: '* * * * *', timeoutSeconds: 3_600 }
  return { worker }
}
