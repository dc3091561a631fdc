import type { ErrorObject } from 'ajv'
import { namePattern } from '../contract/schemas.ts'
import { meant } from './unions.ts'

/** The years in UTC of the dates that are accepted. */
export const FIRST_YEAR = 1000
export const LAST_YEAR = 9999

/** What is wrong with a value, in words, and the field of which that is said. */
export interface Explanation {
  /** A JSON pointer; empty for the whole. */
  readonly pointer: string
  readonly text: string
}

/** The one thing to say of what Ajv found: as deep as it looked, with limits and allowed values, not `anyOf`. */
export function explain(errors: readonly ErrorObject[]): Explanation {
  const said = withoutUnions(meant(errors))
  const depths = said.map(depth)
  const deepest = Math.max(...depths)
  const found = said.filter((_, index) => depths[index] === deepest)
  const last = found.at(-1) as ErrorObject
  const field = fieldOf(last)
  const pointer = field === undefined ? last.instancePath : `${last.instancePath}/${escapePointer(field)}`
  return { pointer, text: alternatives(found.filter((one) => one.instancePath === last.instancePath)) }
}

/** The alternatives of a union say more than that none of them holds; `null` is worth a word only beside a type. */
function withoutUnions(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const isUnion = ({ keyword }: ErrorObject) => keyword === 'anyOf' || keyword === 'oneOf'
  const inner = errors.filter((error) => !isUnion(error))
  const beside = inner.filter((error) => !isNull(error))
  const needsNull = beside.every(({ keyword }) => keyword === 'type' || isChoice(keyword))
  const said = needsNull ? inner : beside
  return said.length > 0 ? said : errors
}

const isNull = ({ keyword, params }: ErrorObject): boolean => keyword === 'type' && params.type === 'null'
const isChoice = (keyword: string): boolean => keyword === 'const' || keyword === 'enum'

/** Several that are said of one value: `must be one of …`, `must be string or null`; else the last. */
function alternatives(errors: readonly ErrorObject[]): string {
  const beside = errors.filter((error) => !isNull(error))
  if (beside.length > 0 && beside.every(({ keyword }) => isChoice(keyword))) {
    const values = [...new Set(beside.flatMap(valuesOf)), ...(errors.length > beside.length ? ['null'] : [])]
    return values.length === 1 ? `must be ${values[0]}` : `must be one of ${values.join(', ')}`
  }
  const types = [...new Set(errors.flatMap((error) => (error.keyword === 'type' ? error.params.type : [])))]
  if (errors.every(({ keyword }) => keyword === 'type')) return `must be ${types.join(' or ')}`
  if (errors.every(({ keyword }) => keyword === 'type' || isChoice(keyword))) {
    const values = new Set(beside.filter(({ keyword }) => isChoice(keyword)).flatMap(valuesOf))
    return `must be one of ${[...values, ...types].join(', ')}`
  }
  return textOf(beside.at(-1) ?? (errors.at(-1) as ErrorObject))
}

const valuesOf = ({ params }: ErrorObject): string[] =>
  [params.allowedValues ?? [params.allowedValue]].flat().map(String)

function textOf({ keyword, params, parentSchema, message = 'is wrong' }: ErrorObject): string {
  if (keyword === 'pattern' && params.pattern === '\\S') return 'must not be blank'
  if (keyword === 'pattern' && params.pattern === namePattern)
    return 'must not be blank, begin or end with white space, or have control characters'
  if (keyword === 'format' && params.format === 'date-time')
    return `must be a date and time with an offset, from year ${FIRST_YEAR} to ${LAST_YEAR}, such as 2026-01-15T09:30:00Z`
  const example = keyword === 'pattern' ? parentSchema?.examples?.[0] : undefined
  if (example !== undefined) return `${message}, such as ${example}`
  return TEXTS[keyword] ?? message
}

const TEXTS: Readonly<Record<string, string>> = {
  additionalProperties: 'is not known',
  required: 'is required'
}

/** The field that is missing or not known, of which the error speaks at the object around it. */
const fieldOf = ({ keyword, params }: ErrorObject): string | undefined =>
  keyword === 'required' ? params.missingProperty : params.additionalProperty
const depth = (error: ErrorObject): number =>
  error.instancePath.split('/').length + (fieldOf(error) === undefined ? 0 : 1)
const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
