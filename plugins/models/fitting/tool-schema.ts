import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'

type Schema = Readonly<Record<string, unknown>>
type InputSchema = LanguageModelV4FunctionTool['inputSchema']

/** References that are followed from one to the next. */
const DEEPEST = 16
/** Combined schemas that are read: references let a short schema stand for any number. */
const MOST = 200
/** Levels of a schema below which nothing is changed. */
const LEVELS = 64
/** Characters of the rules that a description repeats. */
const RULES = 4_000

const combined = ['allOf', 'anyOf', 'oneOf'] as const
/** Keywords that at least one vendor refuses at the root. */
const refused = [...combined, 'not', 'enum', 'const', 'if', 'then', 'else'] as const
/** Keywords of the root that are written again or left out. */
const replaced: ReadonlySet<string> = new Set([
  ...refused,
  '$ref',
  'type',
  'properties',
  'required',
  'description'
])
/** Keywords whose value is a schema, an array of schemas, or schemas by name. */
const inner = {
  one: ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'],
  many: ['anyOf', 'oneOf', 'allOf', 'prefixItems'],
  named: ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']
} as const

const known = new WeakMap<object, InputSchema>()

const isObject = (it: unknown): it is Schema => typeof it === 'object' && it !== null && !Array.isArray(it)
const stringsOf = (it: unknown): string[] =>
  Array.isArray(it) ? it.filter((name): name is string => typeof name === 'string') : []

/**
 * The JSON Schema of a tool's arguments in the form that every vendor accepts: `type: "object"` with `properties`, and no
 * reference or combination of schemas at the root. Alternatives of the root become optional properties, and the rules
 * between them are repeated in the description; the arguments of a call are checked by the tool's own schema.
 */
export function toolSchema(given: unknown): InputSchema {
  const found = isObject(given) ? known.get(given) : undefined
  if (found) return found
  const fitted = rootOf(isObject(given) ? given : {})
  if (isObject(given)) known.set(given, fitted)
  return fitted
}

function rootOf(given: Schema): InputSchema {
  const root = dereferenced(given, given)
  const { properties, required } = argumentsOf(root, given)
  // Google refuses a required argument that is not described.
  for (const name of required) if (!Object.hasOwn(properties, name)) properties[name] = {}
  const kept = Object.entries(root).filter(([key]) => !replaced.has(key))
  const description = [root.description, rulesOf(root)].filter((text) => typeof text === 'string')
  return asAccepted(
    {
      ...definitionsOf(given),
      ...Object.fromEntries(kept),
      type: 'object',
      properties,
      ...(required.length > 0 && { required }),
      ...(description.length > 0 && { description: description.join('\n') })
    },
    0
  ) as InputSchema
}

const definitionsOf = ({ $defs, definitions }: Schema): Schema => ({
  ...(isObject($defs) && { $defs }),
  ...(isObject(definitions) && { definitions })
})

/** A schema with what its local reference names in its place. */
function dereferenced(schema: Schema, document: Schema): Schema {
  let found = schema
  for (let depth = 0; typeof found.$ref === 'string' && depth < DEEPEST; depth++) {
    const { $ref: reference, ...rest } = found
    const target = targetOf(String(reference), document)
    if (!target) return rest
    found = { ...target, ...rest }
  }
  return found
}

function targetOf(reference: string, document: Schema): Schema | undefined {
  if (!reference.startsWith('#/')) return undefined
  let target: unknown = document
  for (const part of reference.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (!isObject(target) || !Object.hasOwn(target, key)) return undefined
    target = target[key]
  }
  return isObject(target) ? target : undefined
}

interface Arguments {
  readonly properties: Record<string, unknown>
  readonly required: readonly string[]
}

/** Arguments of a schema and of all that it combines; required are those that every alternative requires. */
function argumentsOf(schema: Schema, document: Schema, budget = { left: MOST }): Arguments {
  const all = new Map<string, unknown[]>()
  const add = (properties: object) => {
    for (const [name, property] of Object.entries(properties))
      all.set(name, [...(all.get(name) ?? []), property])
  }
  if (isObject(schema.properties)) add(schema.properties)
  const own = new Set(all.keys())
  const required = new Set(stringsOf(schema.required))
  const read = (it: unknown): Arguments[] =>
    isObject(it) && budget.left-- > 0 ? [argumentsOf(dereferenced(it, document), document, budget)] : []
  for (const keyword of combined) {
    const listed = schema[keyword]
    if (!Array.isArray(listed)) continue
    const branches = listed.slice(0, MOST).flatMap(read)
    for (const { properties } of branches) add(properties)
    const [first, ...others] = branches.map((branch) => new Set(branch.required))
    for (const name of first ?? [])
      if (keyword === 'allOf' || others.every((names) => names.has(name))) required.add(name)
    if (keyword === 'allOf') for (const names of others) for (const name of names) required.add(name)
  }
  for (const keyword of ['then', 'else'] as const)
    for (const { properties } of read(schema[keyword])) add(properties)
  // What the schema itself says of an argument counts; alternatives repeat it in part.
  const properties = [...all].map(([name, schemas]) => [name, own.has(name) ? schemas[0] : eitherOf(schemas)])
  return { properties: Object.fromEntries(properties), required: [...required] }
}

function eitherOf(schemas: readonly unknown[]): unknown {
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()]
  return different.length === 1 ? different[0] : { anyOf: different }
}

/** Rules of the root that vendors refuse, for the model to read. */
function rulesOf(root: Schema): string | undefined {
  const rules = refused
    .filter((keyword) => root[keyword] !== undefined)
    .map((keyword) => [keyword, root[keyword]])
  if (rules.length === 0) return undefined
  const text = JSON.stringify(Object.fromEntries(rules))
  return text.length <= RULES
    ? `The arguments must also match this JSON Schema: ${text}`
    : 'Not all combinations of the arguments are accepted.'
}

/** Keywords of older drafts in the words of draft 2020-12, and every array with `items`. */
function asAccepted(given: unknown, depth: number): unknown {
  if (given === true) return {}
  if (!isObject(given) || depth > LEVELS) return given
  const schema: Record<string, unknown> = { ...given }
  for (const keyword of inner.one)
    if (isObject(schema[keyword])) schema[keyword] = asAccepted(schema[keyword], depth + 1)
  if (Array.isArray(schema.items)) {
    schema.prefixItems ??= schema.items
    schema.items = isObject(schema.additionalItems) ? asAccepted(schema.additionalItems, depth + 1) : {}
    delete schema.additionalItems
  }
  for (const keyword of inner.many) {
    const listed = schema[keyword]
    if (Array.isArray(listed)) schema[keyword] = listed.map((it) => asAccepted(it, depth + 1))
  }
  for (const keyword of inner.named) {
    const named = schema[keyword]
    if (isObject(named))
      schema[keyword] = Object.fromEntries(
        Object.entries(named).map(([name, it]) => [name, asAccepted(it, depth + 1)])
      )
  }
  const isArray = schema.type === 'array' || (Array.isArray(schema.type) && schema.type.includes('array'))
  if (isArray && (schema.items === undefined || schema.items === true)) schema.items = {}
  if (schema.required !== undefined && !Array.isArray(schema.required)) delete schema.required
  for (const [limit, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum']
  ] as const) {
    if (typeof schema[limit] !== 'boolean') continue
    const isExclusive = schema[limit]
    delete schema[limit]
    if (!isExclusive || typeof schema[bound] !== 'number') continue
    schema[limit] = schema[bound]
    delete schema[bound]
  }
  return schema
}
