import { CANCEL, HAND_OVER } from './failures.ts'
import type { Live } from './live.ts'
import { nudge } from './live.ts'

export type Flights = ReturnType<typeof createFlights>

/** Attempts of an execution that are under way in this process, by the paths of their steps. */
export function createFlights(live: Live) {
  const flying = new Map<string, AbortController>()
  let fault: { readonly error: unknown } | undefined

  return {
    get size(): number {
      return flying.size
    },
    has: (path: string): boolean => flying.has(path),
    /** Throws what one of them met that says nothing about its step. */
    check(): void {
      if (fault) throw fault.error
    },
    /** Whether some below that path had to be told to end. */
    cancel(prefix: string): boolean {
      const below = [...flying].filter(([path]) => path.startsWith(prefix))
      for (const [, controller] of below) controller.abort(CANCEL)
      return below.length > 0
    },
    handOver(): void {
      for (const controller of flying.values()) controller.abort(HAND_OVER)
    },
    launch(path: string, work: (signal: AbortSignal) => Promise<void>): void {
      const controller = new AbortController()
      flying.set(path, controller)
      const { looks } = live
      work(controller.signal)
        .catch((error) => {
          fault ??= { error }
        })
        .finally(() => {
          flying.delete(path)
          // What was read meanwhile may be in memory no more.
          if (live.looks !== looks) live.woken = true
          nudge(live)
        })
    }
  }
}
