import { invalid, isTimeOver } from 'agent-platform'
import { compile, dialectOf, faultOfSchema, isPattern, tokenOf } from './json-schema.ts'

const MAX_LENGTH = 65_536
const MAX_DEPTH = 64
const MAX_PATTERN = 1_000

/** 400 below `/parameters` for what is no JSON Schema of an object that arguments could be checked by. */
export function checkParameters(parameters: object): void {
  const fault = faultOfParameters(parameters)
  if (fault) throw invalid(`/parameters${fault.at}`, `/parameters${fault.at} ${fault.text}`)
}

/** What is wrong with a schema of arguments, and where. */
export function faultOfParameters(parameters: object): { at: string; text: string } | undefined {
  const at = (place: string, text: string) => ({ at: place, text })
  if (JSON.stringify(parameters).length > MAX_LENGTH)
    return at('', `must not be longer than ${MAX_LENGTH} characters`)
  if (isDeeper(parameters, MAX_DEPTH)) return at('', `must not be nested more than ${MAX_DEPTH} levels deep`)
  if ((parameters as { type?: unknown }).type !== 'object') return at('/type', 'must be "object"')
  const dialect = dialectOf(parameters)
  if (!dialect) return at('/$schema', 'must be that of JSON Schema 2020-12 or draft-07')
  const fault = faultOfSchema(parameters, dialect)
  if (fault) return fault
  for (const [place, schema] of schemasIn(parameters, '')) {
    for (const [where, pattern] of patternsOf(schema)) {
      if (pattern.length > MAX_PATTERN) return at(place + where, `must not be longer than ${MAX_PATTERN}`)
      if (!isPattern(pattern)) return at(place + where, 'must be a regular expression')
    }
  }
  try {
    compile(parameters, dialect)
    return undefined
  } catch (error) {
    if (isTimeOver(error)) return at('', 'is too large a schema')
    const { missingRef } = error as { missingRef?: string }
    return missingRef === undefined
      ? at('', 'is no valid JSON Schema')
      : at(placeOfRef(parameters, missingRef), 'must refer to a part of the same schema')
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

/** Every schema in a schema, with its place. */
function* schemasIn(schema: unknown, place: string): Generator<[string, Schema]> {
  if (!isObject(schema)) return
  yield [place, schema]
  for (const key of one) yield* schemasIn(schema[key], `${place}/${key}`)
  for (const key of several)
    if (Array.isArray(schema[key]))
      for (const [at, item] of schema[key].entries()) yield* schemasIn(item, `${place}/${key}/${at}`)
  for (const key of named)
    if (isObject(schema[key]))
      for (const [name, item] of Object.entries(schema[key]))
        yield* schemasIn(item, `${place}/${key}/${tokenOf(name)}`)
}

function* patternsOf({ pattern, patternProperties }: Schema): Generator<[string, string]> {
  if (typeof pattern === 'string') yield ['/pattern', pattern]
  if (isObject(patternProperties))
    for (const key of Object.keys(patternProperties)) yield [`/patternProperties/${tokenOf(key)}`, key]
}

function placeOfRef(parameters: object, missing: string): string {
  for (const [place, { $ref }] of schemasIn(parameters, ''))
    if (typeof $ref === 'string' && missing.endsWith($ref)) return `${place}/$ref`
  return ''
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1)))
const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
