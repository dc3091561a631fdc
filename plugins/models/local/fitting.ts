type Schema = Readonly<Record<string, unknown>>

const DEEPEST = 20

/** A value that fits a JSON Schema, as far as its types say: the same each time, with `text` wherever a text fits. */
export function fitting(schema: unknown, text: string): unknown {
  return fit(schema, { root: asSchema(schema), text, depth: 0 })
}

interface Place {
  readonly root: Schema
  readonly text: string
  readonly depth: number
}

const asSchema = (it: unknown): Schema => (typeof it === 'object' && it !== null ? (it as Schema) : {})

function fit(given: unknown, { root, text, depth }: Place): unknown {
  const schema = resolved(asSchema(given), root)
  const inside = { root, text, depth: depth + 1 }
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (depth > DEEPEST) return null
  const [one] = [schema.anyOf, schema.oneOf, schema.allOf].find(Array.isArray) ?? []
  if (one !== undefined) return fit(one, inside)
  switch (typeOf(schema)) {
    case 'object':
      return objectOf(schema, inside)
    case 'array':
      return Array.from({ length: numberOf(schema.minItems) }, () => fit(schema.items, inside))
    case 'integer':
    case 'number':
      return numberOf(schema.minimum)
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return text.slice(0, numberOf(schema.maxLength, text.length))
  }
}

function objectOf({ properties, required }: Schema, inside: Place): object {
  const known = asSchema(properties)
  // All where it is shallow; deeper only what has to be there, or a schema that refers to itself would not end.
  const optional = inside.depth === 1 ? Object.keys(known) : []
  const names = new Set([...(Array.isArray(required) ? required : []), ...optional])
  return Object.fromEntries([...names].map((name) => [name, fit(known[name], inside)]))
}

const typeOf = ({ type, properties, items }: Schema): unknown => {
  if (Array.isArray(type)) return type[0]
  return type ?? (properties ? 'object' : items ? 'array' : undefined)
}

/** Where it refers to a part of the whole schema, that part. */
function resolved(schema: Schema, root: Schema): Schema {
  const { $ref } = schema
  if (typeof $ref !== 'string' || !$ref.startsWith('#')) return schema
  const path = $ref.split('/').slice(1)
  return asSchema(path.reduce<unknown>((at, key) => asSchema(at)[key], root))
}

const numberOf = (value: unknown, otherwise = 0): number => (typeof value === 'number' ? value : otherwise)
