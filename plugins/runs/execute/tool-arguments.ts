import { cleanJson } from './sanitize.ts'

export type ToolArguments = Readonly<Record<string, unknown>>

/** How often arguments are JSON in a string of JSON. */
const NESTED = 3

/**
 * The arguments of a call; undefined unless they are a JSON object. Nothing and `null` stand for none, a string of JSON for
 * what it holds; an empty object that some proxies send ahead of the real one is not counted.
 */
export function argumentsOf(input: string): ToolArguments | undefined {
  let value: unknown = input
  for (let depth = 0; typeof value === 'string' && depth <= NESTED; depth++) value = parsed(value)
  if (!isObject(value)) return undefined
  try {
    return cleanJson(value) as ToolArguments
  } catch {
    // It is nested too deeply.
    return undefined
  }
}

const isObject = (it: unknown): it is ToolArguments =>
  typeof it === 'object' && it !== null && !Array.isArray(it)

function parsed(text: string): unknown {
  let rest = text.trim()
  while (rest.startsWith('{}') && rest.length > 2) rest = rest.slice(2).trimStart()
  if (rest === '') return {}
  try {
    return JSON.parse(rest) ?? {}
  } catch {
    return undefined
  }
}
