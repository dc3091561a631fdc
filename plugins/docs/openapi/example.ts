import { exampleText } from './example-text.ts'
import type { Json, Schema } from './route.ts'

/** A caller that writes leaves out what it may not set, and what is optional unless there is nothing else. */
export type Side = 'request' | 'response'

interface Place {
  readonly side: Side
  /** Name of the property, and title of the object it is in. */
  readonly name: string
  readonly owner: string
  readonly subject: string
  readonly depth: number
}

const MAX_DEPTH = 8
const USUALLY_NULL = new Set(['nextCursor', 'error', 'reason', 'revokedAt', 'initiator'])
const numbers: Readonly<Record<string, number>> = { maxTokens: 1024, progress: 40, port: 3000 }

/**
 * A plausible value for a schema: its own example or default where it has one; undefined where there is none or
 * it would say nothing. `subject` is what the path is about.
 */
export function exampleOf(schema: Schema, side: Side, subject: string): unknown {
  const value = exampleAt(schema, { side, name: '', owner: '', subject, depth: 0 })
  return isEmpty(value) ? undefined : value
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

function exampleAt(schema: Schema, place: Place): unknown {
  if (Array.isArray(schema.examples) && schema.examples.length > 0) return schema.examples[0]
  for (const key of ['example', 'default', 'const']) if (key in schema) return schema[key]
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (place.depth > MAX_DEPTH) return undefined
  const deeper = { ...place, depth: place.depth + 1 }
  const choices = [schema.anyOf, schema.oneOf].find(Array.isArray) as Schema[] | undefined
  if (choices) return choiceOf(choices, deeper)
  if (Array.isArray(schema.allOf))
    return Object.assign({}, ...schema.allOf.map((part: Schema) => exampleAt(part, deeper)))
  if (typeof schema.$ref === 'string') return undefined
  return typedValue(schema, deeper)
}

function choiceOf(choices: readonly Schema[], place: Place): unknown {
  const isNullable = choices.some(({ type }) => type === 'null')
  if (isNullable && USUALLY_NULL.has(place.name)) return null
  for (const choice of choices) {
    const value = choice.type === 'null' ? undefined : exampleAt(choice, place)
    if (value !== undefined) return value
  }
  return isNullable ? null : undefined
}

function typedValue(schema: Schema, place: Place): unknown {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type) {
    case 'object':
      return objectOf(schema, place)
    case 'array':
      return arrayOf(schema, place)
    case 'string':
      return exampleText(schema, place.name, place.owner)
    case 'integer':
    case 'number':
      return numberOf(schema, place.name)
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return 'type' in schema ? undefined : {}
  }
}

function objectOf(schema: Schema, place: Place): Json | undefined {
  const value: Json = {}
  const owner = schema.title === 'Deleted' ? place.subject : (schema.title ?? place.owner)
  const given = Object.entries(schema.properties ?? {}).filter(([name, property]) =>
    isShown(schema, name, property, place.side)
  )
  for (const [name, property] of given) {
    const own = exampleAt(property, { ...place, name, owner })
    if (own !== undefined) value[name] = own
    else if (schema.required?.includes(name)) return undefined
  }
  return value
}

function isShown(schema: Schema, name: string, property: Schema, side: Side): boolean {
  if (side === 'response') return property.writeOnly !== true
  if (property.readOnly) return false
  const isRequired = schema.required?.includes(name) ?? false
  return isRequired || !schema.required?.length || 'default' in property || 'examples' in property
}

function arrayOf(schema: Schema, place: Place): unknown[] | undefined {
  if (Array.isArray(schema.items)) {
    const values = schema.items.map((item: Schema) => exampleAt(item, place))
    return values.includes(undefined) ? undefined : values
  }
  const least = Number(schema.minItems ?? 0)
  const name = place.name.replace(/s$/, '')
  const item = schema.items && exampleAt(schema.items as Schema, { ...place, name })
  if (item === undefined) return least > 0 ? undefined : []
  if (schema.maxItems === 0) return []
  if (least > 1 && schema.uniqueItems) return undefined
  return Array.from({ length: Math.max(1, least) }, () => item)
}

function numberOf(schema: Schema, name: string): number {
  const bound = (key: string) => (typeof schema[key] === 'number' ? (schema[key] as number) : undefined)
  const above = bound('exclusiveMinimum')
  const low = bound('minimum') ?? (above === undefined ? undefined : above + 1)
  const high = bound('maximum') ?? bound('exclusiveMaximum')
  const step = bound('multipleOf') ?? 1
  const wanted = numbers[name] ?? 1
  if (low !== undefined && low > wanted) return Math.ceil(low / step) * step
  if (high !== undefined && high < wanted) return low ?? 0
  return wanted % step === 0 ? wanted : step
}
