import { randomInt } from 'node:crypto'

/** The seed of a test's random numbers: `SEED` to repeat a failure, else a new one. A test that uses it prints it. */
export const seed = Number(process.env.SEED ?? randomInt(2 ** 31))

/** A source of integers from 0 to below a bound, which repeats for the same seed (mulberry32). */
export function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** The items in another order, by Fisher and Yates. */
export function shuffle<Item>(items: readonly Item[], random: (below: number) => number): Item[] {
  const shuffled = [...items]
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = random(last + 1)
    ;[shuffled[last], shuffled[other]] = [shuffled[other] as Item, shuffled[last] as Item]
  }
  return shuffled
}
