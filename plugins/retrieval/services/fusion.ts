import type { Found } from '../contract.ts'

/** How little the first places differ. The usual 60 is for lists that are equally good, and these are not. */
const K = 10

export interface Fused {
  readonly number: number
  readonly score: number
  readonly why: { vector?: Found; text?: Found }
}
interface Ranked {
  readonly number: number
  readonly score: number
}

/** Of two that count the same one has all words of the question, which is no accident. */
const textRank = ({ why }: Fused) => why.text?.rank ?? Number.MAX_SAFE_INTEGER

/**
 * Lists fused by reciprocal ranks: what is placed high in either comes first, and what is in both before that. A place among
 * texts weighs as much as the square of the share of the question's words that the text has: one word in common says little. Several
 * lists of vectors, of one model each, count as one, in which an entry has its best place.
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
  const most = 2 / (K + 1)
  const part = (it: Found | undefined, weight = 1) => (it ? weight / (K + it.rank) : 0)
  return [...found]
    .map(([number, why]) => {
      const score = (part(why.vector) + part(why.text, (why.text?.score ?? 0) ** 2)) / most
      return { number, why, score }
    })
    .sort((a, b) => b.score - a.score || textRank(a) - textRank(b))
    .slice(0, limit)
}
