import type { ErrorObject, Options, ValidateFunction } from 'ajv'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

/** What is wrong with a schema or a value: where, and what, without the value itself. */
export interface SchemaFault {
  /** JSON pointer; empty for the whole. */
  readonly at: string
  /** What follows the name of the place: "is required". */
  readonly text: string
}
/** The first thing that is wrong with a value, if any. */
export type SchemaCheck = (value: unknown) => SchemaFault | undefined

const MAX_VALUES = 20

/** Also what only old browsers' rules allow: many patterns in the wild escape what needs no escaping. */
const regExp = (pattern: string, flags: string) => {
  try {
    return new RegExp(pattern, flags)
  } catch {
    return new RegExp(pattern)
  }
}
export const isPattern = (text: string): boolean => {
  try {
    return regExp(text, 'u') instanceof RegExp
  } catch {
    return false
  }
}

const options: Options = {
  strict: false,
  ownProperties: true,
  logger: false,
  validateSchema: false,
  inlineRefs: false,
  code: { optimize: false, regExp: Object.assign(regExp, { code: 'new RegExp' }) }
}
const dialects = [
  { pattern: /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/, kind: Ajv2020 },
  { pattern: /^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/, kind: Ajv }
] as const
export const DIALECTS = [
  'https://json-schema.org/draft/2020-12/schema',
  'http://json-schema.org/draft-07/schema#'
]
type Dialect = (typeof dialects)[number]['kind']

/** The dialect of a schema: as it says, else by how it writes tuples. Undefined for one that is not known here. */
export function dialectOf(schema: object): Dialect | undefined {
  const { $schema } = schema as { $schema?: unknown }
  if ($schema !== undefined) return dialects.find(({ pattern }) => pattern.test(String($schema)))?.kind
  return /"items":\[/.test(JSON.stringify(schema)) ? Ajv : Ajv2020
}

const metaschemas = new Map<Dialect, ValidateFunction>()

/** What is wrong with the schema itself, as far as its dialect says. */
export function faultOfMeta(schema: object, kind: Dialect): SchemaFault | undefined {
  let check = metaschemas.get(kind)
  if (!check) {
    const ajv = new kind({ ...options, meta: true })
    const uri = ajv.defaultMeta()
    check = ajv.getSchema(String(uri)) as ValidateFunction
    metaschemas.set(kind, check)
  }
  return check(schema) ? undefined : faultOf(check.errors ?? [])
}

/**
 * Without a clock: for schemas of packs, whose authors are trusted as their code is. Made anew for each schema, so that
 * none knows the names that another one gave. Throws for one that is broken.
 */
export function compileSchema(schema: object): SchemaCheck {
  const kind = dialectOf(schema)
  if (!kind) throw new Error('The dialect of the schema is not known')
  const { $schema: _, ...plain } = schema as { $schema?: unknown }
  const ajv = new kind({ ...options, meta: false })
  formats.default(ajv as Ajv)
  const validate = ajv.compile(plain)
  return (value) => (validate(value) ? undefined : faultOf(validate.errors ?? []))
}

/** What was met deepest in the value says most; of several ways to be right all are named. */
function faultOf(errors: readonly ErrorObject[]): SchemaFault {
  const met = errors.map((error) => ({ at: locationOf(error), text: textOf(error) }))
  const [deepest] = met.toSorted((a, b) => depthOf(b.at) - depthOf(a.at))
  if (!deepest) return { at: '', text: 'is not valid' }
  const texts = met.flatMap(({ at, text }) => (at === deepest.at ? (text ?? []) : []))
  return { at: deepest.at, text: [...new Set(texts)].slice(0, MAX_VALUES).join(' or ') || 'is not valid' }
}

function locationOf({ instancePath, keyword, params }: ErrorObject): string {
  const name =
    keyword === 'required'
      ? params.missingProperty
      : (params.additionalProperty ?? params.unevaluatedProperty)
  return name === undefined ? instancePath : `${instancePath}/${pointerToken(String(name))}`
}
/** A name as a part of a JSON pointer. */
export const pointerToken = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
const depthOf = (pointer: string): number => pointer.split('/').length

/** Undefined where the errors beside it say it better. */
function textOf({ keyword, params, message = 'is not valid' }: ErrorObject): string | undefined {
  switch (keyword) {
    case 'anyOf':
    case 'oneOf':
    case 'if':
      return undefined
    case 'required':
      return 'is required'
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'is not known'
    case 'enum':
      return `must be one of ${params.allowedValues.slice(0, MAX_VALUES).map(json).join(', ')}`
    case 'const':
      return `must be ${json(params.allowedValue)}`
    default:
      return message
  }
}
const json = (value: unknown) => JSON.stringify(value)
