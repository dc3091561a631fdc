interface Shape {
  readonly type?: unknown
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
}

/**
 * Of what a capability gives, what its schema names, as routes reply: a column that is added later reaches no app before
 * a person agrees. Only its form counts here; where it leaves something open, that goes as it is.
 */
export function shaped(schema: object, value: unknown): unknown {
  const { properties, items, anyOf } = schema as Shape
  if (value === null || typeof value !== 'object' || value instanceof Date) return value
  if (anyOf) {
    const others = anyOf.filter(({ type }) => type !== 'null')
    return others.length === 1 ? shaped(others[0] as object, value) : value
  }
  if (Array.isArray(value)) return items ? value.map((item) => shaped(items, item)) : value
  if (!properties) return value
  const given = value as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => given[name] !== undefined)
      .map(([name, property]) => [name, shaped(property, given[name])])
  )
}
