/** How often two sides are measured in turns. */
export const ROUNDS = 5

/** The one in the middle, of an even number the mean of the two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] as number) + (sorted[Math.ceil(middle)] as number)) / 2
}

/** From the least to the greatest. */
export const range = (spread: readonly number[]): string => spread.map((it) => it.toFixed(2)).join('–')

export interface Compared {
  readonly first: number
  readonly second: number
  /** First to second, the median of the rounds'. */
  readonly ratio: number
  /** The least and the greatest of the rounds'. */
  readonly spread: readonly [number, number]
}

/** Measures two sides in turns, so that what else the machine does falls on both. */
export async function inTurns<T>(
  rounds: number,
  first: () => Promise<T>,
  second: () => Promise<T>
): Promise<[T, T][]> {
  const pairs: [T, T][] = []
  for (let round = 0; round < rounds; round++) {
    // Who begins changes, or the second would always find a warmer machine.
    const early = round % 2 === 0 ? await first() : undefined
    const two = await second()
    pairs.push([early ?? (await first()), two])
  }
  return pairs
}

/** Measures two sides in turns: how the one is to the other. */
export async function compare(
  rounds: number,
  first: () => Promise<number>,
  second: () => Promise<number>
): Promise<Compared> {
  const pairs = await inTurns(rounds, first, second)
  const ratios = pairs.map(([one, two]) => one / two)
  return {
    first: median(pairs.map(([one]) => one)),
    second: median(pairs.map(([, two]) => two)),
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)]
  }
}
