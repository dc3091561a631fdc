/** Counts what still runs in a generation: requests, steps, handlers of facts. */
export interface InFlight {
  readonly count: number
  enter(): void
  leave(): void
  /** Resolves when nothing runs any more, or after `ms`; says how much was still running then. */
  drained(ms: number): Promise<number>
}

export function createInFlight(): InFlight {
  let count = 0
  let empty: (() => void) | undefined
  return {
    get count() {
      return count
    },
    enter() {
      count++
    },
    leave() {
      if (--count === 0) empty?.()
    },
    async drained(ms) {
      if (count === 0) return 0
      const { promise, resolve } = Promise.withResolvers<void>()
      empty = resolve
      const timer = setTimeout(resolve, ms)
      await promise
      clearTimeout(timer)
      return count
    }
  }
}
