/** What arguments a call has, by name. */
export type Args = Readonly<Record<string, unknown>>

// Spaces are taken off afterwards: two parts that both match them take forever where the end is missing.
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g
const WHOLE = /^\{\{([^{}]*)\}\}$/

/** The arguments that a template names, anywhere in it. */
export function namesIn(template: unknown): string[] {
  if (typeof template === 'string')
    return [...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim())
  if (typeof template !== 'object' || template === null) return []
  return Object.values(template).flatMap(namesIn)
}

const argumentOf = (args: Args, name: string): unknown => (Object.hasOwn(args, name) ? args[name] : undefined)
const wholeName = (template: string) => WHOLE.exec(template)?.[1]?.trim()
const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** The text, with arguments for their names; undefined where one of them is missing or null. */
export function fillText(
  template: string,
  args: Args,
  encode: (text: string, name: string) => string = (text) => text
): string | undefined {
  let complete = true
  const text = template.replaceAll(PLACEHOLDER, (_, spaced: string) => {
    const name = spaced.trim()
    const value = argumentOf(args, name)
    if (value === undefined || value === null) complete = false
    return encode(textOf(value), name)
  })
  return complete ? text : undefined
}

/** The texts that a value of a query stands for: several for a list, none where an argument is missing. */
export function fillList(template: string, args: Args): string[] {
  const name = wholeName(template)
  const value = name === undefined ? undefined : argumentOf(args, name)
  if (Array.isArray(value)) return value.map(textOf)
  return [fillText(template, args)].filter((text) => text !== undefined)
}

/**
 * JSON, with arguments for their names. A text that is one name becomes the argument as it is; undefined where it is
 * missing, and then the field or item around it goes.
 */
export function fillJson(template: unknown, args: Args): unknown {
  if (typeof template === 'string') {
    const name = wholeName(template)
    return name === undefined ? fillText(template, args) : argumentOf(args, name)
  }
  if (Array.isArray(template))
    return template.map((item) => fillJson(item, args)).filter((item) => item !== undefined)
  if (typeof template !== 'object' || template === null) return template
  const fields = Object.entries(template).map(([name, item]) => [name, fillJson(item, args)] as const)
  return Object.fromEntries(fields.filter(([, item]) => item !== undefined))
}
