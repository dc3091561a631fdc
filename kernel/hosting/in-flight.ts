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
    drained: (ms) =>
      new Promise((resolve) => {
        if (count === 0) return resolve(0)
        const timer = setTimeout(() => resolve(count), ms)
        empty = () => {
          clearTimeout(timer)
          resolve(0)
        }
      })
  }
}
