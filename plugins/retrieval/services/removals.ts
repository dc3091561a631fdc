import type { Kernel } from 'agent-platform'
import type { Worker } from '../../jobs/contract.ts'
import type { RetrievalSettings } from '../settings.ts'
import type { AbsenceStore, Kept } from '../stores/absences.ts'
import type { EntryStore } from '../stores/entries.ts'
import type { LossStore } from '../stores/losses.ts'

export type Removals = ReturnType<typeof createRemovals>

/** Entries that go in one transaction. */
const BATCH = 500

interface Deps extends Pick<Kernel, 'points' | 'transaction' | 'log'> {
  settings: RetrievalSettings
  absenceStore: AbsenceStore
  entryStore: EntryStore
  lossStore: LossStore
}

/** Removes what no pack has asked for in a long time: entries of collections that no pack contributes any more. */
export function createRemovals(deps: Deps) {
  const { points, transaction, log, settings, absenceStore, entryStore, lossStore } = deps

  const listPresent = () => new Set(points.all('retrieval.collection').map(({ key }) => key))

  async function remove(kept: Kept, signal: AbortSignal): Promise<number> {
    const { project, collection } = kept
    for (let count = 0; ; ) {
      signal.throwIfAborted()
      const ids = await absenceStore.listIds(kept, BATCH)
      // It may come back meanwhile: what it puts then stays.
      if (ids.length === 0 || listPresent().has(collection)) return count
      await transaction(async (trx) => {
        await lossStore.insert(trx, kept)
        await entryStore.remove(trx, project, collection, { ids })
      })
      count += ids.length
    }
  }

  async function sweep(signal: AbortSignal): Promise<void> {
    const present = listPresent()
    const kept = (await absenceStore.listKept()).filter(({ collection }) => !present.has(collection))
    await absenceStore.replace([...new Set(kept.map(({ collection }) => collection))])
    const due = new Set(await absenceStore.list(settings.keepDays))
    for (const it of kept.filter(({ collection }) => due.has(collection))) {
      const count = await remove(it, signal)
      log.info({ ...it, count }, 'entries were removed: no pack has contributed their collection for long')
    }
  }

  const worker: Worker = { work: (_, signal) => sweep(signal), cron: '17 * * * *', timeoutSeconds: 3_600 }
  return { worker }
}
