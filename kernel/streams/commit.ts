import { setTimeout as delay } from 'node:timers/promises'
import { unavailable } from '../contract/errors.ts'
import { isDatabaseAway } from '../database/connect.ts'
import { isAtFault, isStatementError } from './record.ts'
import type { Chunk, EventInput, Writer } from './stream.ts'

/** Milliseconds between two tries while the database is away. */
const PAUSE_MS = 200

/** A chunk whose outcome is to be said: the first that is called of `settled`, `refused` and `failed` counts. */
export interface Taken extends Chunk {
  /** The statement was committed, with a row from the fragment. */
  settled(): void
  /** The statement was committed without, or nobody knows: the writer is lost. */
  refused(): void
  /**
   * It was rolled back: the events are queued again without this chunk's own; the writer is lost when others were
   * appended after those, for their numbers cannot be given twice.
   */
  failed(): void
  /**
   * The connection broke: looks into the record. True when it was committed (nothing else is to be called), false when
   * it may be run again. Rejects with `stream_lost` when another writer was faster.
   */
  unsure(): Promise<boolean>
}

/** What code `stream_lost` says: this process is not the one that writes the stream. */
export const isStreamLost = (error: unknown): boolean => (error as { code?: unknown })?.code === 'stream_lost'

export const streamLost = () =>
  unavailable('The stream is no longer written by this process', { code: 'stream_lost' })

/** What `Writer.commit` promises, for chunks that `take` takes out of a writer's queue. How long it tries may change meanwhile. */
export function createCommit(
  take: (ended: boolean, events: readonly EventInput[]) => Promise<Taken>,
  port: { readonly patienceMs: number }
): Writer['commit'] {
  return async (events, write, { ended = false, once = false } = {}) => {
    const since = performance.now()
    const isOver = () => performance.now() - since > port.patienceMs
    for (;;) {
      const chunk = await take(ended, events)
      try {
        const result = await write(chunk)
        if (result === undefined || result === false) throw streamLost()
        chunk.settled()
        return result
      } catch (error) {
        if (once || isStreamLost(error)) {
          chunk.refused()
          throw error
        }
        if (await wasCommitted(chunk, error, isOver)) return undefined
        if (isOver() || !isTransient(error)) throw error
        await delay(PAUSE_MS)
      }
    }
  }
}

/** Rejects with the cause, and the writer is lost, when that cannot be known in time. */
async function wasCommitted(chunk: Taken, cause: unknown, isOver: () => boolean): Promise<boolean> {
  for (;;)
    try {
      const committed = await chunk.unsure()
      if (!committed) chunk.failed()
      return committed
    } catch (error) {
      if (isStreamLost(error)) throw error
      if (isOver()) {
        chunk.refused()
        throw cause
      }
      await delay(PAUSE_MS)
    }
}

/** Whether the same may go well in a moment: the database is away, or another statement was in the way of this one. */
const isTransient = (error: unknown) =>
  isDatabaseAway(error) || (isStatementError(error) && !isAtFault(error))
