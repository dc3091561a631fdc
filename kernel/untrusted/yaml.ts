import { depthOf } from './depth.ts'

/** In characters: what compares the names of a mapping takes the square of them. */
export const YAML_CHARACTERS = 8_192
/** Of the syntax tree, about three for each level of YAML: what composes it calls itself. */
const MAX_DEPTH = 100

/**
 * Reads a short mapping in YAML that a stranger wrote, such as the front matter of a document, in a few milliseconds: without
 * aliases, tags or names that are not text; of at most 8,192 characters and about 30 levels. `text` takes every value for
 * text, however YAML would read it. Throws an error whose message goes on after the name of what was read: "is no YAML: …".
 */
export async function readYaml(
  text: string,
  values: 'text' | 'typed' = 'typed'
): Promise<Record<string, unknown>> {
  if (text.length > YAML_CHARACTERS) throw new Error(`is longer than ${YAML_CHARACTERS} characters`)
  const { Parser, parseDocument } = await import('yaml')
  // Without recursion. Deep in the stack the next step could end the process.
  if (depthOf([...new Parser().parse(text)], MAX_DEPTH) > MAX_DEPTH) throw new Error('is nested too deeply')
  const schema = values === 'text' ? 'failsafe' : 'core'
  const document = parseDocument(text, { schema, stringKeys: true, prettyErrors: false })
  const [error] = document.errors
  if (error) throw new Error(`is no YAML: ${error.message}`)
  const value = plainOf(document)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('has no names')
  if (JSON.stringify(value).includes('"__proto__"'))
    throw new Error('has a name that is not allowed: __proto__')
  return value as Record<string, unknown>
}

function plainOf(document: { toJS(options: { maxAliasCount: number }): unknown }): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 })
  } catch {
    throw new Error('has aliases')
  }
}
