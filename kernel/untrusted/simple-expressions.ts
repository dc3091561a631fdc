/** Names that mean something else than a name. */
const WORDS = new Set(['true', 'false', 'null', 'and', 'or', 'in', 'function'])
const PATH = /^\{\{\s*([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*\}\}$/

/** For this thread: what it takes is as long as the template is. */
const notSimple = Symbol('not simple')

/**
 * The value of a template whose expressions are nothing but names of objects within objects: asking another thread takes
 * longer than that. Undefined for any other.
 */
export function simply(
  template: unknown,
  context: Readonly<Record<string, unknown>>
): { readonly value: unknown } | undefined {
  const value = fill(template, context)
  return value === notSimple ? undefined : { value: value === undefined ? null : value }
}

function fill(template: unknown, context: unknown): unknown {
  if (typeof template === 'string') return template.includes('{{') ? pathValue(template, context) : template
  if (typeof template !== 'object' || template === null) return template
  if (Array.isArray(template)) {
    const items = []
    for (const part of template) {
      const item = fill(part, context)
      if (item === notSimple) return notSimple
      items.push(item ?? null)
    }
    return items
  }
  const members: [string, unknown][] = []
  for (const [name, part] of Object.entries(template)) {
    const member = fill(part, context)
    if (member === notSimple) return notSimple
    if (member !== undefined) members.push([name, member])
  }
  return Object.fromEntries(members)
}

function pathValue(text: string, context: unknown): unknown {
  const names = PATH.exec(text)?.[1]?.split('.')
  if (!names || names.some((name) => WORDS.has(name))) return notSimple
  let value = context
  for (const name of names) {
    if (Array.isArray(value)) return notSimple
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}
