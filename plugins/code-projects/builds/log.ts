import type { BuildRow } from './schemas.ts'
import type { BuildStore } from './store.ts'

/** What a build writes while it runs, as far as it is kept. */
const MOST = 262_144
const EVERY_MS = 1_000

interface Source {
  /** What follows at `offset` of what is written elsewhere; fails while there is nothing. */
  read(offset: number): Promise<{ bytes: Buffer; next: number | null }>
}

/** The log of a build. It is written down while the build runs, and with that it is looked whether it is to be cancelled. */
export function createLog(buildStore: BuildStore, row: BuildRow, cancelled: () => void) {
  let kept = 0

  async function add(text: string): Promise<void> {
    if (kept >= MOST && text !== '') return
    kept += text.length
    if (await buildStore.updateLog(row, text)) cancelled()
  }

  return {
    add,
    /** Copies what comes until the work is done, and then the rest. */
    async follow<T>(source: Source, work: Promise<T>): Promise<T> {
      const decoder = new TextDecoder()
      let offset = 0
      const copy = async () => {
        while (kept < MOST) {
          const { bytes, next } = await source.read(offset)
          offset += bytes.length
          await add(decoder.decode(bytes, { stream: true }))
          if (next === null || bytes.length === 0) break
        }
      }
      const { promise: over, resolve } = Promise.withResolvers<void>()
      const ended = work.then(
        () => resolve(),
        () => resolve()
      )
      let isOver = false
      over.then(() => {
        isOver = true
      })
      while (!isOver) {
        const { promise: time, resolve: due } = Promise.withResolvers<void>()
        const timer = setTimeout(due, EVERY_MS)
        await Promise.race([over, time])
        clearTimeout(timer)
        // What it could not be asked now it is asked later; that it is to be cancelled is looked at all the same.
        if (!isOver) await copy().catch(() => add('').catch(() => undefined))
      }
      await ended
      await copy().catch(() => undefined)
      return work
    }
  }
}
export type Log = ReturnType<typeof createLog>
