import { CANCEL, HAND_OVER } from './failures.ts'
import type { Live } from './live.ts'
import { nudge } from './live.ts'

export type InFlight = ReturnType<typeof createInFlight>

/** Attempts of an execution that are under way in this process, by the paths of their steps. */
export function createInFlight(live: Live) {
  const attempts = new Map<string, AbortController>()
  let fault: { readonly error: unknown } | undefined

  return {
    get size(): number {
      return attempts.size
    },
    has: (path: string): boolean => attempts.has(path),
    /** Throws what one of them met that says nothing about its step. */
    check(): void {
      if (fault) throw fault.error
    },
    /** Whether some below that path had to be aborted. */
    cancel(prefix: string): boolean {
      const below = [...attempts].filter(([path]) => path.startsWith(prefix))
      for (const [, controller] of below) controller.abort(CANCEL)
      return below.length > 0
    },
    handOver(): void {
      for (const controller of attempts.values()) controller.abort(HAND_OVER)
    },
    launch(path: string, work: (signal: AbortSignal) => Promise<void>): void {
      const controller = new AbortController()
      attempts.set(path, controller)
      const { looks } = live
      work(controller.signal)
        .catch((error) => {
          fault ??= { error }
        })
        .finally(() => {
          attempts.delete(path)
          // What was read meanwhile may be in memory no more.
          if (live.looks !== looks) live.woken = true
          nudge(live)
        })
    }
  }
}
