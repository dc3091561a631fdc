import { randomBytes } from 'node:crypto'
import type { Meter } from './meter.ts'

/**
 * Asks a program whether it still listens. It can answer only in a turn after the one that it is in, with a word that it cannot know
 * before: what goes on without end is found so, whichever call waits for it.
 */
export function createProbe(meter: Meter, tell: (line: string) => void) {
  let word: string | undefined
  let askedAt = 0

  return {
    ask(): void {
      if (word !== undefined) return
      word = randomBytes(8).toString('hex')
      askedAt = meter.total()
      tell(`?\t${word}`)
    },

    hear(said: string): void {
      if (said === word) word = undefined
    },

    /** Not answered yet, while the program took more than so many milliseconds of the processor. */
    isOut: (ms = -1): boolean => word !== undefined && meter.total() - askedAt > ms
  }
}
