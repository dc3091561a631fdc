import type { SchemaFault } from './json-schema.ts'
import { compileSchema, dialectOf, faultOfMeta, isPattern, pointerToken } from './json-schema.ts'

const MAX_PATTERN = 1_000

/** What is wrong with a schema of a stranger, and where. It may take any time: this is for the worker. */
export function faultOfSchema(schema: object): SchemaFault | undefined {
  const dialect = dialectOf(schema)
  if (!dialect) return { at: '/$schema', text: 'must be that of JSON Schema 2020-12 or draft-07' }
  return faultOfMeta(schema, dialect) ?? faultOfPatterns(schema) ?? faultOfCompiling(schema)
}

function faultOfPatterns(schema: object): SchemaFault | undefined {
  for (const [location, part] of schemasIn(schema, ''))
    for (const [where, pattern] of patternsOf(part)) {
      const at = location + where
      if (pattern.length > MAX_PATTERN) return { at, text: `must not be longer than ${MAX_PATTERN}` }
      if (!isPattern(pattern)) return { at, text: 'must be a regular expression' }
    }
  return undefined
}

function faultOfCompiling(schema: object): SchemaFault | undefined {
  try {
    compileSchema(schema)
    return undefined
  } catch (error) {
    const { missingRef } = error as { missingRef?: string }
    return missingRef === undefined
      ? { at: '', text: 'is no valid JSON Schema' }
      : { at: locationOfRef(schema, missingRef), text: 'must refer to a part of the same schema' }
  }
}

type Schema = Readonly<Record<string, unknown>>

const ONE =
  'additionalItems additionalProperties contains contentSchema else if items not propertyNames then ' +
  'unevaluatedItems unevaluatedProperties'
const SEVERAL = 'allOf anyOf items oneOf prefixItems'
const NAMED = '$defs definitions dependencies dependentSchemas patternProperties properties'
const [one, several, named] = [ONE, SEVERAL, NAMED].map((words) => words.split(' ')) as [
  string[],
  string[],
  string[]
]

/** Every schema in a schema, with its location. */
function* schemasIn(schema: unknown, at: string): Generator<[string, Schema]> {
  if (!isObject(schema)) return
  yield [at, schema]
  for (const key of one) yield* schemasIn(schema[key], `${at}/${key}`)
  for (const key of several)
    if (Array.isArray(schema[key]))
      for (const [index, item] of schema[key].entries()) yield* schemasIn(item, `${at}/${key}/${index}`)
  for (const key of named)
    if (isObject(schema[key]))
      for (const [name, item] of Object.entries(schema[key]))
        yield* schemasIn(item, `${at}/${key}/${pointerToken(name)}`)
}

function* patternsOf({ pattern, patternProperties }: Schema): Generator<[string, string]> {
  if (typeof pattern === 'string') yield ['/pattern', pattern]
  if (isObject(patternProperties))
    for (const key of Object.keys(patternProperties)) yield [`/patternProperties/${pointerToken(key)}`, key]
}

function locationOfRef(schema: object, missing: string): string {
  for (const [at, { $ref }] of schemasIn(schema, ''))
    if (typeof $ref === 'string' && missing.endsWith($ref)) return `${at}/$ref`
  return ''
}

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
