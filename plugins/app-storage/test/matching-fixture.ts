import { isDeepStrictEqual } from 'node:util'

// biome-ignore lint/suspicious/noExplicitAny: documents of any shape
export type Doc = Record<string, any>

/** The order of BSON, as far as it is needed. */
const rankOf = (value: unknown): number => {
  if (value === null || value === undefined) return 1
  if (typeof value === 'number') return 2
  if (typeof value === 'string') return 3
  if (Array.isArray(value)) return 5
  if (typeof value === 'boolean') return 8
  return value instanceof Date ? 9 : 4
}

export function compare(a: unknown, b: unknown): number {
  const ranks = rankOf(a) - rankOf(b)
  if (ranks !== 0) return ranks
  if (typeof a === 'string') return Buffer.from(a).compare(Buffer.from(b as string))
  if (typeof a === 'number' || typeof a === 'boolean' || a instanceof Date)
    return Number(a) - Number(b as number)
  return isDeepStrictEqual(a, b) ? 0 : 1
}

/** What lies at a path, also in each element of lists on the way; nothing where nothing does. */
function valuesAt(value: unknown, [name, ...rest]: readonly string[]): unknown[] {
  if (name === undefined) return [value]
  if (Array.isArray(value))
    return value.flatMap((it) => (Array.isArray(it) ? [] : valuesAt(it, [name, ...rest])))
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return []
  return valuesAt((value as Doc)[name], rest)
}

const same = (a: unknown, b: unknown) => rankOf(a) === rankOf(b) && compare(a, b) === 0

type Test = (found: readonly unknown[], operand: never) => boolean
const some =
  (holds: (value: unknown, operand: never) => boolean): Test =>
  (found, operand) =>
    found.some((it) => holds(it, operand) || (Array.isArray(it) && it.some((part) => holds(part, operand))))
const ordered = (holds: (order: number) => boolean) =>
  some((value, operand) => rankOf(value) === rankOf(operand) && holds(compare(value, operand)))
const equal: Test = (found, operand) =>
  some((value, operand) => same(value, operand))(found, operand) || (operand === null && found.length === 0)

const tests: Readonly<Record<string, Test>> = {
  $eq: equal,
  $in: (found, operand: readonly never[]) => operand.some((it) => equal(found, it)),
  $gt: ordered((order) => order > 0),
  $gte: ordered((order) => order >= 0),
  $lt: ordered((order) => order < 0),
  $lte: ordered((order) => order <= 0),
  $exists: (found, operand) => found.length > 0 === operand,
  $regex: some((value, pattern) => typeof value === 'string' && new RegExp(pattern, 'u').test(value))
}

export function matches(doc: Doc, filter: Doc): boolean {
  return Object.entries(filter).every(([name, operand]) => {
    if (name === '$and') return operand.every((it: Doc) => matches(doc, it))
    if (name === '$or') return operand.some((it: Doc) => matches(doc, it))
    if (name === '$nor') return !operand.some((it: Doc) => matches(doc, it))
    if (name === '$expr') return evaluate(doc, operand) === true
    if (name.startsWith('$')) throw new Error(`unknown top level operator: ${name}`)
    const found = valuesAt(doc, name.split('.'))
    if (!isOperators(operand)) return equal(found, operand as never)
    return Object.entries(operand).every(([operator, it]) => {
      const test = tests[operator]
      if (!test) throw new Error(`unknown operator: ${operator}`)
      return test(found, it as never)
    })
  })
}

const isOperators = (value: unknown): value is Doc =>
  rankOf(value) === 4 && !isId(value) && Object.keys(value as object).some((name) => name.startsWith('$'))
const isId = (value: unknown) => (value as { _bsontype?: unknown } | null)?._bsontype === 'ObjectId'

const types = ['', 'null', 'double', 'string', 'object', 'array', '', '', 'bool', 'date']

/** An expression of a pipeline. */
export function evaluate(doc: Doc, expression: unknown): unknown {
  if (typeof expression === 'string' && expression.startsWith('$')) {
    let value: unknown = doc
    for (const name of expression.slice(1).split('.'))
      value = rankOf(value) === 4 ? (value as Doc)[name] : undefined
    return value
  }
  if (Array.isArray(expression)) return expression.map((it) => evaluate(doc, it))
  if (rankOf(expression) !== 4) return expression
  const [[operator, operand] = []] = Object.entries(expression as Doc)
  if (operator === '$literal') return operand
  const parts = [operand].flat().map((it: unknown) => evaluate(doc, it))
  const [a, b, c] = parts
  switch (operator) {
    case '$cond':
      return a === true ? b : c
    case '$in':
      return (b as unknown[]).includes(a)
    case '$type':
      return a === undefined ? 'missing' : types[rankOf(a)]
    case '$and':
      return parts.every((it) => it === true)
    case '$or':
      return parts.some((it) => it === true)
    case '$eq':
      return compare(a, b) === 0
    case '$gt':
      return compare(a, b) > 0
    case '$lt':
      return compare(a, b) < 0
    default:
      throw new Error(`unknown expression: ${operator}`)
  }
}
