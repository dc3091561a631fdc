/** Of a processor, what a program may take in the long run, beyond what it may at once. */
const SHARE = 0.05
/** So long after it took more it is still known by that: each change costs a start of the program, if not of a process. */
const KNOWN_MS = 600_000

interface Entry {
  /** When what it took is made up for. */
  due: number
  knownUntil: number
}

/**
 * Which programs take much of the processor, by their culprits: more than `atOnceMs` milliseconds of it above their share, by the
 * generic cell rate algorithm.
 */
export function createAppetites(atOnceMs: number, now = () => performance.now()) {
  const entries = new Map<string, Entry>()

  return {
    took(culprit: string, cpuMs: number): void {
      const at = now()
      const entry = entries.get(culprit) ?? { due: at, knownUntil: 0 }
      entry.due = Math.max(entry.due, at) + cpuMs / SHARE
      if (entry.due - at > atOnceMs / SHARE) entry.knownUntil = at + KNOWN_MS
      entries.set(culprit, entry)
    },

    isGreedy: (culprit: string): boolean => (entries.get(culprit)?.knownUntil ?? 0) > now(),

    /** Forgets those of whom nothing is to be known. */
    tidy(): void {
      for (const [culprit, { due, knownUntil }] of entries)
        if (Math.max(due, knownUntil) <= now()) entries.delete(culprit)
    }
  }
}
