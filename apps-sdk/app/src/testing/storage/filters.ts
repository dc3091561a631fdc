import { AppError } from '../../errors.ts'

type Json = Readonly<Record<string, unknown>>
type Test = (document: Json) => boolean

const refuse = (message: string) => new AppError('invalid_request_error', message)
const isList = Array.isArray
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !isList(value)

/** Whether a document is one that the filter asks for, as `app-storage` of the platform reads filters. */
export function filterOf(filter: Json = {}): Test {
  const tests = Object.entries(filter).map(([name, value]): Test => {
    if (name === '$and') return every(listOf(value))
    if (name === '$or') {
      const any = listOf(value)
      return (document) => any.some((test) => test(document))
    }
    if (name === '$not') return not(filterOf(objectOf(value)))
    if (name.startsWith('$')) throw refuse(`/filter: ${name} is no operator of a filter`)
    return fieldTest(name, value)
  })
  return every(tests)
}

const every =
  (tests: readonly Test[]): Test =>
  (document) =>
    tests.every((test) => test(document))
const not =
  (test: Test): Test =>
  (document) =>
    !test(document)

function fieldTest(field: string, value: unknown): Test {
  if (!isObject(value)) return fieldTest(field, { $eq: value })
  return every(
    Object.entries(value).map(([operator, operand]) => {
      if (operator === '$ne') return not(fieldTest(field, { $eq: operand }))
      if (operator === '$not') return not(fieldTest(field, objectOf(operand)))
      if (operator === '$exists') return (document) => (fieldOf(document, field) !== undefined) === operand
      if (!times.includes(field)) return valueTest(field, comparison(operator, operand))
      if (operator === '$prefix')
        throw refuse(`/filter: ${field} is compared by $gte and $lt, not by $prefix`)
      return valueTest(field, comparison(operator, isList(operand) ? operand.map(timeOf) : timeOf(operand)))
    })
  )
}

/** Fields that hold times; what these are compared with is one, too. */
const times = ['createdAt', 'updatedAt']
const rfc3339 = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/

function timeOf(value: unknown): string {
  const time = typeof value === 'string' && rfc3339.test(value) ? Date.parse(value) : Number.NaN
  const shown = Number.isNaN(time) ? '' : new Date(time).toISOString()
  // A zone can lead out of the years that databases read.
  if (/^(?!0000)\d{4}-/.test(shown)) return shown
  throw refuse('/filter: has to be a time such as 2026-01-31T09:00:00Z, or a date')
}

function comparison(operator: string, operand: unknown): (found: unknown) => boolean {
  if (operator === '$eq') return (found) => found === operand
  if (operator === '$in' && isList(operand)) return (found) => operand.includes(found)
  if (operator === '$prefix' && typeof operand === 'string')
    return (found) => typeof found === 'string' && found.startsWith(operand)
  const order = { $gt: [1], $gte: [0, 1], $lt: [-1], $lte: [-1, 0] }[operator]
  if (!order || (typeof operand !== 'string' && typeof operand !== 'number'))
    throw refuse(`/filter: ${operator} is no operator, or has no value that it compares with`)
  return (found) => typeof found === typeof operand && order.includes(compare(found, operand))
}

/** A field that is a list matches when one of its elements does; what is not there is null. */
const valueTest =
  (field: string, is: (found: unknown) => boolean): Test =>
  (document) => {
    const found = fieldOf(document, field) ?? null
    return is(found) || (isList(found) && found.some(is))
  }

export function fieldOf(document: Json, path: string): unknown {
  let at: unknown = document
  for (const name of path.split('.')) at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined
  return at
}

const rank = (value: unknown) =>
  typeof value === 'number' ? 1 : typeof value === 'string' ? 2 : typeof value === 'boolean' ? 3 : 0

/** First what is neither, then numbers, text by its bytes in UTF-8, false, true. */
export function compare(a: unknown, b: unknown): number {
  if (rank(a) !== rank(b)) return Math.sign(rank(a) - rank(b))
  if (typeof a === 'string') return Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b as string)))
  return rank(a) === 0 ? 0 : Math.sign(Number(a) - Number(b))
}

function listOf(value: unknown): Test[] {
  if (!isList(value) || value.length === 0) throw refuse('/filter: $and and $or have lists of filters')
  return value.map((filter) => filterOf(objectOf(filter)))
}

function objectOf(value: unknown): Json {
  if (isObject(value)) return value
  throw refuse('/filter: an object was expected')
}
