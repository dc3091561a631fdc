import type { Kernel } from 'agent-platform'
import type { Worker } from '../../jobs/contract.ts'
import type { Place } from '../drivers/place.ts'
import type { StorageSettings } from '../settings.ts'
import type { ObjectStore } from '../store.ts'

/** Objects of one transaction, whose rows are locked meanwhile. */
const BATCH = 50

interface Deps extends Pick<Kernel, 'transaction' | 'log'> {
  settings: StorageSettings
  objectStore: ObjectStore
  place: Place
}

/** Deletes what nothing holds, and what uploads left that broke off with their process. */
export function createSweeps({ transaction, log, settings, objectStore, place }: Deps) {
  async function sweep(signal?: AbortSignal, graceSeconds = settings.graceMinutes * 60) {
    const driver = await place.driver()
    const staged = await driver.removeStaged(new Date(Date.now() - graceSeconds * 1_000))
    let objects = 0
    for (let taken = BATCH; taken === BATCH && !signal?.aborted; objects += taken)
      taken = await transaction(async (trx) => {
        // The rows go with the commit: should it fail here, they still say what there may be.
        const gone = await objectStore.removeUnreferenced(trx, graceSeconds, BATCH)
        for (const sha256 of gone) await driver.remove(sha256)
        return gone.length
      })
    if (staged + objects > 0) log.info({ staged, objects }, 'unused objects were deleted')
    return { staged, objects }
  }

  const worker: Worker = {
    work: async (_data, signal) => void (await sweep(signal)),
    cron: '23 * * * *',
    timeoutSeconds: 3_600
  }
  return { sweep, worker }
}
