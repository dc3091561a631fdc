import { isDeepStrictEqual } from 'node:util'
import type { Side } from './example.ts'
import type { Json, Schema } from './route.ts'

/** Keywords that hold schemas: one each, a list of them, or a map. */
const ONE = new Set([
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames'
])
const MANY = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const NAMED = new Set(['properties', 'patternProperties', 'dependentSchemas'])
/** Ours alone, or of no meaning outside of the schema that they came with. */
const DROPPED = new Set(['env', 'secret', '$id', '$defs', '$schema'])

export interface Components {
  /**
   * The schema as the document has it: a reference where it, or a part of it, has a title. In a request, objects of known
   * properties take no others, as the platform checks them; in a reply there may be more.
   */
  describe(schema: Schema, where: string, side?: Side): Json
  readonly schemas: Readonly<Record<string, Json>>
  /** Titles that two different schemas share; the later one stands inline. */
  readonly faults: readonly string[]
}

/** The named schemas of a document, each described once a side. `replied`: titles that replies use. */
export function createComponents(replied: ReadonlySet<string> = new Set()): Components {
  const schemas: Record<string, Json> = {}
  const owners = new Map<string, string>()
  const faults: string[] = []
  const described = { request: createSide('request'), response: createSide('response') }

  function createSide(side: Side) {
    const seen = new WeakMap<Schema, Json>()

    function describe(schema: Schema, where: string): Json {
      const known = seen.get(schema)
      if (known) return known
      const json = named(schema, where)
      seen.set(schema, json)
      return json
    }

    function named(schema: Schema, where: string): Json {
      for (const [name, part] of Object.entries((schema.$defs ?? {}) as Record<string, Schema>))
        register(part.title ?? name, plain(part, where), where)
      const json = plain(schema, where)
      return (schema.title && register(titleOf(schema.title, json), json, where)) || json
    }

    /** What is closed in requests and open in replies has two names. */
    const titleOf = (title: string, json: Json): string =>
      side === 'request' && replied.has(title) && isClosed(json) ? `${title}Input` : title

    function plain(schema: Schema, where: string): Json {
      const copy: Json = {}
      for (const [key, value] of Object.entries(schema)) {
        if (DROPPED.has(key) || key.startsWith('~')) continue
        if (key === '$ref') copy.$ref = reference(String(value))
        else if (NAMED.has(key)) copy[key] = mapValues(value as Json, (part) => inner(part, where))
        else if (MANY.has(key) || (key === 'items' && Array.isArray(value)))
          copy[key] = (value as unknown[]).map((part) => inner(part, where))
        else copy[key] = ONE.has(key) ? inner(value, where) : value
      }
      if (side === 'request' && copy.properties && !('additionalProperties' in copy))
        copy.additionalProperties = false
      return modern(copy)
    }

    const inner = (part: unknown, where: string): unknown =>
      typeof part === 'object' && part !== null ? describe(part as Schema, where) : part

    return describe
  }

  /** Undefined where another schema has that name. */
  function register(title: string, json: Json, where: string): Json | undefined {
    const name = componentName(title)
    if (!Object.hasOwn(schemas, name)) {
      schemas[name] = json
      owners.set(name, where)
    } else if (!isDeepStrictEqual(schemas[name], json)) {
      faults.push(`Two different schemas have the title ${title}: in ${owners.get(name)} and in ${where}`)
      return undefined
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  return {
    describe: (schema, where, side = 'response') => described[side](schema, where),
    schemas,
    faults
  }
}

const isClosed = (json: Json): boolean => JSON.stringify(json).includes('"additionalProperties":false')

/** The titles of a schema and of its parts. */
export function titlesOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { title } = schema as Schema
  const inner = Object.values(schema).flatMap(titlesOf)
  return typeof title === 'string' ? [title, ...inner] : inner
}

const componentName = (title: string): string => title.trim().replace(/[^A-Za-z0-9._-]+/g, '_')
const reference = (target: string): string =>
  target.startsWith('#/components/')
    ? target
    : `#/components/schemas/${componentName(target.replace(/^#\/(\$defs|definitions)\//, ''))}`
const mapValues = (of: Json, change: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(of).map(([key, value]) => [key, change(value)]))

/** Draft 7 as 2020-12 writes it, and what only the type system needs as readers expect it. */
function modern({ ...schema }: Json): Json {
  if (Array.isArray(schema.items)) {
    schema.prefixItems = schema.items
    schema.items = schema.additionalItems ?? {}
    delete schema.additionalItems
  }
  const anything = (schema.patternProperties as Json | undefined)?.['^.*$']
  if (anything && Object.keys(schema.patternProperties as Json).length === 1) {
    schema.additionalProperties = anything
    delete schema.patternProperties
  }
  const values = literalsOf(schema.anyOf)
  if (!values) return schema
  const { anyOf: _, ...rest } = schema
  return { ...rest, ...values }
}

/** `anyOf` of constants of one type, as an enumeration. */
function literalsOf(anyOf: unknown): Json | undefined {
  const parts = Array.isArray(anyOf) ? (anyOf as Json[]) : []
  const [first] = parts
  const alike = parts.every(
    (part) => 'const' in part && part.type === first?.type && Object.keys(part).length === 2
  )
  return first && alike ? { type: first.type, enum: parts.map((part) => part.const) } : undefined
}
