import { randomInt } from 'node:crypto'

/** What the numbers of a test of faults begin with: `SEED`, so that a failure can be had again, or a new one. */
export const seed = Number(process.env.SEED ?? randomInt(2 ** 31))

/** Numbers below a bound, the same ones for the same seed (mulberry32). */
export function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
