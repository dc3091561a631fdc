/** Runs work of many names, a few at a time, and of each name one after another. */
export interface Slots {
  /** Drops the work when some of that name waits or runs already. The work must not reject. */
  run(name: string, work: () => Promise<void>): void
  has(name: string): boolean
  /** Resolves when nothing runs; what has not begun is dropped. */
  idle(): Promise<void>
}

export function createSlots(size: number): Slots {
  const waiting = new Map<string, () => Promise<void>>()
  const running = new Map<string, Promise<void>>()

  function next() {
    for (const [name, work] of waiting) {
      if (running.size >= size) return
      waiting.delete(name)
      running.set(
        name,
        work().finally(() => {
          running.delete(name)
          next()
        })
      )
    }
  }

  return {
    run(name, work) {
      if (waiting.has(name) || running.has(name)) return
      waiting.set(name, work)
      next()
    },
    has: (name) => waiting.has(name) || running.has(name),
    async idle() {
      waiting.clear()
      await Promise.all(running.values())
    }
  }
}
