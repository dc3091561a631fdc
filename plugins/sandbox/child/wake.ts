/** No timer of a program is more often. */
const LEAST_MS = 1
const MOST_MS = 2_147_483_647

/** The one timer that a program has here, for the first of its own. It stands still while nobody waits for the program. */
export function createWake(ring: () => void) {
  let due: number | undefined
  let timer: NodeJS.Timeout | undefined
  let isPaused = false

  function set(): void {
    clearTimeout(timer)
    if (due === undefined || isPaused) return
    const wait = Math.min(Math.max(due - performance.now(), LEAST_MS), MOST_MS)
    timer = setTimeout(() => {
      due = undefined
      ring()
    }, wait)
  }

  return {
    /** In so many milliseconds from now on; with another number none is due. */
    at(ms: number): void {
      due = ms >= 0 ? performance.now() + ms : undefined
      set()
    },

    pause(): void {
      isPaused = true
      set()
    },

    go(): void {
      if (!isPaused) return
      isPaused = false
      set()
    },

    stop: () => clearTimeout(timer)
  }
}
