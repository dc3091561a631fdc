import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'

/** Milliseconds that requests may be kept waiting by work that could stop in between. */
const TURN_MS = 4

/** `await pace()` between pieces of work lets requests be answered whenever a turn has taken long enough. */
export function createPace(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < TURN_MS) return
    await setImmediate()
    since = performance.now()
  }
}
