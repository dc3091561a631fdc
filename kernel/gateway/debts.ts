import type { FastifyBaseLogger } from 'fastify'
import { isDatabaseAway } from '../data/connect.ts'
import { DeadlineExceeded, within } from '../data/deadline.ts'

const RETRY_MS = 500
const CLOSE_MS = 1_000

/**
 * Outcomes that could not be written because the database was away; tried until they are. There are never more
 * than requests in flight when it went: none begins while it is away.
 */
export function createDebts(log: Pick<FastifyBaseLogger, 'warn'>) {
  const owed = new Map<string, () => Promise<void>>()
  let timer: NodeJS.Timeout | undefined

  const lost = (error: unknown) =>
    log.warn({ reason: reasonOf(error) }, 'The outcome of a request with an Idempotency-Key is lost')

  async function pay(name: string): Promise<boolean> {
    const write = owed.get(name)
    if (!write) return false
    try {
      await write()
    } catch (error) {
      if (isDatabaseAway(error)) throw error
      lost(error)
    }
    owed.delete(name)
    return true
  }

  async function payAll(): Promise<void> {
    for (const name of owed.keys()) await pay(name)
  }

  function schedule(): void {
    if (timer || owed.size === 0) return
    timer = setTimeout(async () => {
      await payAll().catch(() => {})
      timer = undefined
      schedule()
    }, RETRY_MS).unref()
  }

  return {
    add(name: string, write: () => Promise<void>, error: unknown): void {
      if (!(error instanceof DeadlineExceeded) && !isDatabaseAway(error)) {
        lost(error)
        return
      }
      log.warn(
        { reason: reasonOf(error) },
        'The outcome of a request with an Idempotency-Key is written later'
      )
      owed.set(name, write)
      schedule()
    },
    /** Tries one now, if it is owed; rejects when that fails. */
    pay,
    async close(): Promise<void> {
      clearTimeout(timer)
      await within(CLOSE_MS, payAll()).catch(() => {})
      owed.clear()
    }
  }
}

/** Never the message: it may quote the statement with what was to be written. */
const reasonOf = (error: unknown): string =>
  error instanceof Error ? String((error as { code?: unknown }).code ?? error.name) : 'unknown'
