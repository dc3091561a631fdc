import type { Found } from '../contract.ts'

/** How little the first places differ. The usual 60 is for lists that are equally good, and these are not. */
const K = 10
/** Weight of a text that has all words of the query, compared with a vector of the same rank. */
const ALL_WORDS = 2

export interface Fused {
  readonly number: number
  readonly score: number
  readonly why: { vector?: Found; text?: Found }
}
interface Ranked {
  readonly number: number
  readonly score: number
}

/**
 * Lists fused by reciprocal ranks: entries placed high in either list come first, and entries in both lists before these. The weight
 * of a rank among texts is the square of the share of the query that the text has: a text with all words comes before the nearest
 * vector, and one word in common means little. Several lists of vectors, of one model each, count as one, in which an entry has its
 * best rank.
 */
export function fuse(
  vectors: readonly (readonly Ranked[])[],
  text: readonly Ranked[],
  limit: number
): Fused[] {
  const found = new Map<number, { vector?: Found; text?: Found }>()
  for (const list of vectors)
    for (const [at, { number, score }] of list.entries()) {
      const why = found.get(number) ?? {}
      const rank = at + 1
      if (!why.vector || rank < why.vector.rank) why.vector = { score, rank }
      found.set(number, why)
    }
  for (const [at, { number, score }] of text.entries()) {
    const why = found.get(number) ?? {}
    found.set(number, Object.assign(why, { text: { score, rank: at + 1 } }))
  }
  const most = (1 + ALL_WORDS) / (K + 1)
  const part = (it: Found | undefined, weight = 1) => (it ? weight / (K + it.rank) : 0)
  return [...found]
    .map(([number, why]) => {
      const score = (part(why.vector) + part(why.text, ALL_WORDS * (why.text?.score ?? 0) ** 2)) / most
      return { number, why, score }
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
}
