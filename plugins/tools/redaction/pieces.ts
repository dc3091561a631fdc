import { pace } from 'agent-platform'

/** Characters of one piece of work: a fraction of a millisecond. */
export const PIECE = 16_384

/** Work on a text of any length, which may be interrupted after each piece. */
export type Pieces<T> = Generator<void, T, void>

export function atOnce<T>(work: Pieces<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** With turns of the event loop for others in between. */
export async function inTurns<T>(work: Pieces<T>): Promise<T> {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    await pace()
  }
}
