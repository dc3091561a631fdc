import { setTimeout as delay } from 'node:timers/promises'
import type { Chunk } from 'agent-platform'
import { isRefused } from '../stores/batch.ts'
import { isLost, lost } from './failures.ts'

/** How long a database that is away is waited for. */
const PATIENCE_MS = 30_000
const PAUSE_MS = 200

/**
 * Brings a statement that holds a chunk to an outcome that everybody agrees about. `write` says whether its chunk
 * was taken. Resolves with undefined when it is in the record, with the error when nothing of it is; rejects with
 * `stream_lost` when another goes on with the run, and with the error when the database stays away.
 */
export async function commit(chunk: Chunk, write: () => Promise<boolean>): Promise<unknown> {
  try {
    if (await write()) return chunk.settled()
  } catch (error) {
    return (await wasCommitted(chunk, error)) ? undefined : error
  }
  chunk.refused()
  throw lost()
}

/** The same, tried again while the database is away: with a chunk of its own for each try. */
export async function persist(
  take: () => Promise<Chunk>,
  write: (chunk: Chunk) => Promise<boolean>
): Promise<void> {
  const since = performance.now()
  for (;;) {
    const chunk = await take()
    const error = await commit(chunk, () => write(chunk))
    if (error === undefined) return
    if ((isRefused(error) && !isDeadlock(error)) || performance.now() - since > PATIENCE_MS) throw error
    await delay(PAUSE_MS)
  }
}

/** Nothing is wrong with the statement: another one was in its way. */
const isDeadlock = (error: unknown) => /^40/.test(String((error as { code?: unknown }).code))

async function wasCommitted(chunk: Chunk, cause: unknown): Promise<boolean> {
  const since = performance.now()
  for (;;)
    try {
      const committed = await chunk.unsure()
      if (!committed) chunk.failed()
      return committed
    } catch (error) {
      if (isLost(error)) throw error
      if (performance.now() - since > PATIENCE_MS) {
        chunk.refused()
        throw cause
      }
      await delay(PAUSE_MS)
    }
}
