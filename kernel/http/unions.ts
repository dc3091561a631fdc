import type { ErrorObject } from 'ajv'

interface Branch {
  readonly properties?: Readonly<Record<string, { readonly const?: unknown }>>
}

/**
 * Of a union whose members name themselves, such as by `type`: what is said of the one that is meant, and nothing of the others;
 * of one that no member has, that alone.
 */
export function meant(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  let said = errors
  // Ajv tells of what is inside first.
  for (const union of errors.toReversed()) {
    const found = said.includes(union) ? nameOf(union) : undefined
    if (!found) continue
    const below = (error: ErrorObject, place: string) =>
      error.schemaPath.startsWith(`${union.schemaPath}/${place}`)
    const { property, names, at } = found
    if (at >= 0) {
      said = said.filter((error) => error === union || !below(error, '') || below(error, `${at}/`))
      continue
    }
    const wrong: ErrorObject = {
      ...union,
      keyword: 'enum',
      instancePath: `${union.instancePath}/${property}`,
      params: { allowedValues: names }
    }
    said = [...said.filter((error) => error !== union && !below(error, '')), wrong]
  }
  return said
}

/** The property by which all members of a union name themselves, and which of them has the name that the value has. */
function nameOf({ keyword, schema, data }: ErrorObject) {
  if ((keyword !== 'anyOf' && keyword !== 'oneOf') || typeof data !== 'object' || data === null)
    return undefined
  const branches = schema as readonly Branch[]
  const objects = branches.filter(({ properties }) => properties)
  const property = Object.keys(objects[0]?.properties ?? {}).find((name) =>
    objects.every(({ properties }) => properties?.[name]?.const !== undefined)
  )
  if (property === undefined || objects.length < 2) return undefined
  const value = (data as Readonly<Record<string, unknown>>)[property]
  return {
    property,
    names: objects.map(({ properties }) => properties?.[property]?.const),
    at: branches.findIndex(({ properties }) => properties?.[property]?.const === value && value !== undefined)
  }
}
