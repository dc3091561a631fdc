import type { Kernel } from 'agent-platform'

export interface Flush {
  /** Writes what is there within the time, one write after the other. */
  soon(): void
  /** Writes what is there now, and is done when all of it is written or given up. */
  now(): Promise<void>
  close(): Promise<void>
}

const AGAIN_MS = 5_000

/** Writes together what was noted in the same moment. What fails is told, and `write` called again later. */
export function createFlush(afterMs: number, log: Kernel['log'], write: () => Promise<void>): Flush {
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()
  let isClosed = false

  function now(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(write).catch((error) => {
      log.warn({ err: error }, 'what apps did was not written down')
      if (!isClosed) timer ??= setTimeout(() => void now(), AGAIN_MS).unref()
    })
    return writing
  }

  return {
    soon() {
      timer ??= setTimeout(() => void now(), afterMs).unref()
    },
    now,
    close() {
      isClosed = true
      return now()
    }
  }
}
