import type { Doc } from './matching-fixture.ts'
import { compare, evaluate, matches } from './matching-fixture.ts'

/** What a filter says of a document that is made by it. */
export const plain = (filter: Doc): Doc =>
  Object.fromEntries(Object.entries(filter).filter(([name]) => !name.startsWith('$')))

export function changed(doc: Doc, change: Doc, isNew: boolean): Doc {
  if (!Object.keys(change).some((name) => name.startsWith('$'))) return { _id: doc._id, ...change }
  const { $set = {}, $inc = {}, $setOnInsert = {}, ...others } = change
  if (Object.keys(others).length > 0) throw new Error(`unknown modifier: ${Object.keys(others)}`)
  const counted = Object.fromEntries(Object.entries($inc).map(([name, by]) => [name, (doc[name] ?? 0) + by]))
  return { ...doc, ...(isNew && $setOnInsert), ...$set, ...counted }
}

export function sorted(docs: Doc[], sort: Doc): Doc[] {
  const order = Object.entries(sort)
  return docs.toSorted((a, b) => {
    for (const [field, way] of order) {
      const found = compare(a[field], b[field]) * way
      if (found !== 0) return found
    }
    return 0
  })
}

export function projected(doc: Doc, projection: Doc | undefined): Doc {
  if (!projection) return doc
  const isKept = Object.values(projection)[0] === 1
  return Object.fromEntries(Object.entries(doc).filter(([name]) => isKept === name in projection))
}

export function staged(docs: Doc[], stage: Doc): Doc[] {
  const [[name, operand] = []] = Object.entries(stage)
  switch (name) {
    case '$match':
      return docs.filter((doc) => matches(doc, operand))
    case '$set':
      return docs.map((doc) => ({
        ...doc,
        ...Object.fromEntries(Object.entries(operand).map(([field, it]) => [field, evaluate(doc, it)]))
      }))
    case '$sort':
      return sorted(docs, operand)
    case '$limit':
      return docs.slice(0, operand)
    case '$group': {
      const { _id, ...sums } = operand
      const total = (sum: unknown) =>
        docs.reduce((all, doc) => all + Number(evaluate(doc, (sum as Doc).$sum)), 0)
      if (docs.length === 0) return []
      return [{ _id, ...Object.fromEntries(Object.entries(sums).map(([field, sum]) => [field, total(sum)])) }]
    }
    default:
      throw new Error(`unknown stage: ${name}`)
  }
}
