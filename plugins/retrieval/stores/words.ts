/** Maximum number of words of a query that count. Of a longer query, the longest words count. */
export const MAX_WORDS = 64
/** Maximum number of entries that are ranked because they have a rare word. */
export const RANKED = 2_000
/** Maximum number of common words that are combined, and of entries that each combination adds. */
export const COMMON = { words: 4, entries: 200 }
/** Maximum number of entries, those with the largest share, whose words are read to compare entries with the same share. */
export const COMPARED = 1_000

/** A word of a query as a `tsquery`. `entries` is counted up to one more than `RANKED`. */
export interface Word {
  readonly word: string
  readonly entries: number
  readonly weight: number
}

export const queryOf = (words: readonly Word[], operator: '&' | '|') =>
  words.map(({ word }) => word).join(` ${operator} `)
export const weightOf = (words: readonly Word[]) => words.reduce((sum, { weight }) => sum + weight, 0)

/** Of words with the rarest first: those whose entries can all be ranked, and those that have too many. */
export function parted(words: readonly Word[]) {
  let room = RANKED
  const at = words.findIndex(({ entries }) => (room -= entries) < 0)
  return at < 0 ? { rare: words, common: [] } : { rare: words.slice(0, at), common: words.slice(at) }
}

/** All of the common words, and of the rarest of these: ever fewer, and all but one. */
export function combinationsOf(common: readonly Word[]): (readonly Word[])[] {
  const words = common.slice(0, COMMON.words)
  const fewer = words.map((_, at) => words.slice(0, at + 1))
  const without = words.length > 2 ? words.slice(0, -1).map((left) => words.filter((it) => it !== left)) : []
  return [...(common.length > words.length ? [common] : []), ...fewer, ...without]
}
