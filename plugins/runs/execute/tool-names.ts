import type { ReplyPart } from '../stores/steps.ts'

/** Names that the text for the model lists, and characters of all of them. */
const LISTED = 64
const CHARACTERS = 2_000
/** Characters that stand around names that models quote. */
const AROUND = new Set([' ', '\t', '\n', '"', "'", '`', '(', ')', ':', '.', '/'])

/**
 * The tool that a model means by a name that no tool has: in other letters, with a prefix (`functions.`) or with a special
 * token of its template (`<|channel|>`). Undefined for none, and where more than one could be meant.
 */
export function meantTool(name: string, names: readonly string[]): string | undefined {
  if (names.includes(name)) return name
  const [beforeToken = ''] = name.split('<|', 1)
  const plain = trimmed(beforeToken)
  // Tools have names of their own with dots, so that the whole name counts first.
  for (const wanted of [plain, plain.slice(prefixOf(plain))]) {
    if (names.includes(wanted)) return wanted
    const key = keyOf(wanted)
    const alike = key === '' ? [] : names.filter((it) => keyOf(it) === key)
    if (alike.length > 0) return alike.length === 1 ? alike[0] : undefined
  }
  return undefined
}

/** For the model: what it called does not exist, and what does. */
export function noSuchTool(name: string, names: readonly string[]): string {
  const missing = `There is no tool ${name.slice(0, 100)}`
  if (names.length === 0) return `${missing}. No tools are available.`
  const listed: string[] = []
  let room = CHARACTERS
  for (const it of names) {
    room -= it.length
    if (room < 0 || listed.length === LISTED) break
    listed.push(it)
  }
  const more = names.length - listed.length
  return `${missing}. Available tools: ${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`
}

/** The parts of a reply with the tools that its calls mean. */
export function renamed(parts: readonly ReplyPart[], names: readonly string[]): readonly ReplyPart[] {
  const meant = names.values()
  return parts.map((part) => {
    if (part.type !== 'tool-call') return part
    const toolName = meant.next().value ?? part.toolName
    return toolName === part.toolName ? part : { ...part, toolName }
  })
}

function trimmed(name: string): string {
  let from = 0
  let to = name.length
  while (from < to && AROUND.has(name[from] as string)) from++
  while (to > from && AROUND.has(name[to - 1] as string)) to--
  return name.slice(from, to)
}

/** Where the last part of a name begins. */
const prefixOf = (name: string): number =>
  Math.max(name.lastIndexOf('.'), name.lastIndexOf(':'), name.lastIndexOf('/')) + 1

/** The same for names that differ in case and in what stands between words. */
const keyOf = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
