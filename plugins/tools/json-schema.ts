import { timeBoxed } from 'agent-platform'
import type { ErrorObject, Options, ValidateFunction } from 'ajv'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

/** What is wrong with a value: where, and what, without the value itself. */
export interface Fault {
  /** JSON pointer. */
  readonly at: string
  /** What follows the name of the place. */
  readonly text: string
}
/** The first thing that is wrong with a value, if any. Throws where it cannot be told in time. */
export type Check = (value: unknown) => Fault | undefined

const COMPILING_MS = 1_000
const CHECKING_MS = 100
const MAX_VALUES = 20
/** Characters of a schema times those of a value that are checked without a clock, which has its price. */
const MAX_WORK = 5_000_000

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
type Dialect = (typeof dialects)[number]['kind']

/** The dialect of a schema: as it says, else by how it writes tuples. Undefined for one that is not known here. */
export function dialectOf(schema: object): Dialect | undefined {
  const { $schema } = schema as { $schema?: unknown }
  if ($schema !== undefined) return dialects.find(({ pattern }) => pattern.test(String($schema)))?.kind
  return /"items":\[/.test(JSON.stringify(schema)) ? Ajv : Ajv2020
}

const metaschemas = new Map<Dialect, ValidateFunction>()

/** What is wrong with the schema itself, as far as its dialect says. */
export function faultOfSchema(schema: object, kind: Dialect): Fault | undefined {
  let check = metaschemas.get(kind)
  if (!check) {
    const ajv = new kind({ ...options, meta: true })
    const uri = ajv.defaultMeta()
    check = ajv.getSchema(String(uri)) as ValidateFunction
    metaschemas.set(kind, check)
  }
  return check(schema) ? undefined : faultOf(check.errors ?? [])
}

/** Only with these can a check take longer than its value and its schema are long, one times the other. */
const COSTLY = /"(?:pattern|patternProperties|format|uniqueItems|\$\w*[rR]ef)":/

/** Made anew for each schema, so that no schema knows the names that another one gave. Throws for one that is broken. */
export function compile(schema: object, kind: Dialect): Check {
  const { $schema: _, ...plain } = schema as { $schema?: unknown }
  const validate = timeBoxed(COMPILING_MS, () => {
    const ajv = new kind({ ...options, meta: false })
    formats.default(ajv as Ajv)
    return ajv.compile(plain)
  })
  const text = JSON.stringify(plain)
  const most = COSTLY.test(text) ? 0 : MAX_WORK / text.length
  const run = (value: unknown): boolean =>
    most > 0 && (JSON.stringify(value) ?? '').length <= most
      ? validate(value)
      : timeBoxed(CHECKING_MS, () => validate(value))
  return (value) => (run(value) ? undefined : faultOf(validate.errors ?? []))
}

/** What was met deepest in the value says most; of several ways to be right all are told. */
function faultOf(errors: readonly ErrorObject[]): Fault {
  const met = errors.map((error) => ({ at: placeOf(error), text: textOf(error) }))
  const [deepest] = met.toSorted((a, b) => depthOf(b.at) - depthOf(a.at))
  if (!deepest) return { at: '', text: 'is not valid' }
  const texts = met.flatMap(({ at, text }) => (at === deepest.at ? (text ?? []) : []))
  return { at: deepest.at, text: [...new Set(texts)].slice(0, MAX_VALUES).join(' or ') || 'is not valid' }
}

function placeOf({ instancePath, keyword, params }: ErrorObject): string {
  const name =
    keyword === 'required'
      ? params.missingProperty
      : (params.additionalProperty ?? params.unevaluatedProperty)
  return name === undefined ? instancePath : `${instancePath}/${tokenOf(String(name))}`
}
/** A name as a part of a JSON pointer. */
export const tokenOf = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
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
