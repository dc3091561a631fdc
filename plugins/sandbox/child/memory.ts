/** Of the limit, what a program has to have taken itself to be blamed for it. */
const BLAMED = 0.5

/**
 * The memory of the process, which is more than the heaps of its programs: what it grows by is put down to the program that worked
 * most in that time.
 */
export function createMemoryWatch(limit: number) {
  const grown = new Map<string, number>()
  let last = process.memoryUsage.rss()

  return {
    /** Over the limit: the program to blame, and '' where none took that much: what is gone leaves traces. */
    look(worker: string): { readonly isOver: boolean; readonly culprit: string } {
      const now = process.memoryUsage.rss()
      if (worker !== '') grown.set(worker, Math.max(0, (grown.get(worker) ?? 0) + now - last))
      last = now
      if (now <= limit) return { isOver: false, culprit: '' }
      const [culprit, most] = [...grown].reduce((a, b) => (b[1] > a[1] ? b : a), ['', 0])
      return { isOver: true, culprit: most > BLAMED * limit ? culprit : '' }
    },

    /** A program has gone, with what it took. */
    forget(number: string): void {
      grown.delete(number)
      last = process.memoryUsage.rss()
    }
  }
}
