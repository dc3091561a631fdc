import { LRUCache } from 'lru-cache'
import type { SchemaCheck } from './json-schema.ts'
import { compileSchema } from './json-schema.ts'

/** In characters of JSON, of a schema and of a value that are looked at in this thread. */
const MAX_SCHEMA = 2_048
const MAX_VALUE = 4_096
const MAX_SCHEMAS = 500

const ANNOTATIONS = '$schema default description examples title'
const ASSERTIONS =
  'const enum exclusiveMaximum exclusiveMinimum maxItems maxLength maximum minItems minLength minimum required type'
/** Of a schema that has no others no value takes longer than it is long: no pattern, no alternative, no reference. */
const PLAIN = new Set([...ANNOTATIONS.split(' '), ...ASSERTIONS.split(' ')])

const known = new LRUCache<string, { readonly check: SchemaCheck | undefined }>({ max: MAX_SCHEMAS })

/** The check of a schema that is short and plain, for a value that is short; undefined for what a worker is needed for. */
export function plainCheckOf(schema: object, text: string, value: string): SchemaCheck | undefined {
  if (text.length > MAX_SCHEMA || value.length > MAX_VALUE) return undefined
  let found = known.get(text)
  if (!found) {
    found = { check: isPlain(schema) ? compiled(schema) : undefined }
    known.set(text, found)
  }
  return found.check
}

/** What is wrong with a broken one the worker says. */
function compiled(schema: object): SchemaCheck | undefined {
  try {
    return compileSchema(schema)
  } catch {
    return undefined
  }
}

const isPlain = (schema: unknown): boolean =>
  typeof schema === 'boolean' ||
  (isObject(schema) &&
    Object.entries(schema).every(([keyword, value]) => {
      if (keyword === 'properties') return isObject(value) && Object.values(value).every(isPlain)
      if (keyword === 'items' || keyword === 'additionalProperties') return isPlain(value)
      return PLAIN.has(keyword)
    }))

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
