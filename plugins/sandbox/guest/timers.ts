interface Timer {
  readonly due: number
  readonly every: number | undefined
  readonly work: () => void
}

const MOST = 1_000
const LONGEST_MS = 2_147_483_647

/** Timers of a program: its process has one for the first of them. */
export function createTimers() {
  const timers = new Map<number, Timer>()
  let count = 0
  let asked: number | undefined
  let say: (line: string) => void = () => undefined

  function wait() {
    let due: number | undefined
    for (const timer of timers.values()) if (due === undefined || timer.due < due) due = timer.due
    if (due === asked) return
    asked = due
    say(`t\t${due === undefined ? -1 : Math.max(0, due - Date.now())}`)
  }

  function set(work: unknown, ms: unknown, args: unknown[], repeats: boolean): number {
    if (typeof work !== 'function') throw new TypeError('A timer calls a function')
    if (timers.size >= MOST) throw new RangeError(`There are ${MOST} timers`)
    const delay = Math.min(Math.max(Number(ms) || 0, repeats ? 1 : 0), LONGEST_MS)
    const timer = { due: Date.now() + delay, every: repeats ? delay : undefined, work: () => work(...args) }
    timers.set(++count, timer)
    wait()
    return count
  }

  function clear(id: unknown) {
    if (timers.delete(id as number)) wait()
  }

  return {
    connect(send: (line: string) => void) {
      say = send
    },

    ring() {
      asked = undefined
      const now = Date.now()
      const due = [...timers].filter(([, timer]) => timer.due <= now).sort(([, a], [, b]) => a.due - b.due)
      for (const [id, timer] of due) {
        if (!timers.has(id)) continue
        if (timer.every === undefined) timers.delete(id)
        else timers.set(id, { ...timer, due: now + timer.every })
        // What it throws has nobody to go to.
        void Promise.resolve()
          .then(timer.work)
          .catch(() => undefined)
      }
      wait()
    },

    globals: {
      setTimeout: (work: unknown, ms?: unknown, ...args: unknown[]) => set(work, ms, args, false),
      setInterval: (work: unknown, ms?: unknown, ...args: unknown[]) => set(work, ms, args, true),
      clearTimeout: clear,
      clearInterval: clear
    }
  }
}
