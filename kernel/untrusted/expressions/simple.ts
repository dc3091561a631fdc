import { LRUCache } from 'lru-cache'
import type { Simple } from './grammar.ts'
import { compileSimple, notSimple } from './grammar.ts'

/** Characters that a text becomes: another thread says of more that it is too much. */
const LONGEST = 65_536
/** A text as it stands, or as parts; what is none of it is not simple. */
type Parts = readonly (string | Simple)[] | typeof notSimple

/** For this thread: what it takes is as long as the template is. */
const known = new LRUCache<string, Parts>({
  max: 5_000,
  maxSize: 4_000_000,
  sizeCalculation: (_, text) => text.length + 1
})

/**
 * The value of a template whose expressions are names of objects within objects, and what operators make of plain values:
 * asking another thread takes much longer than that. Undefined for any other.
 */
export function simply(
  template: unknown,
  context: Readonly<Record<string, unknown>>
): { readonly value: unknown } | undefined {
  const value = fill(template, context)
  return value === notSimple ? undefined : { value: value === undefined ? null : value }
}

function fill(template: unknown, context: unknown): unknown {
  if (typeof template === 'string') return template.includes('{{') ? fillText(template, context) : template
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

function fillText(text: string, context: unknown): unknown {
  const parts = partsOf(text)
  if (parts === notSimple) return notSimple
  const [first] = parts
  if (parts.length === 1 && typeof first === 'function') return first(context)
  let filled = ''
  for (const part of parts) {
    const value = typeof part === 'string' ? part : part(context)
    if (value === undefined || value === null) continue
    if (typeof value === 'object' || value === notSimple) return notSimple
    filled += String(value)
    if (filled.length > LONGEST) return notSimple
  }
  return filled
}

/** An expression that holds `}}` itself is none up to there. */
function partsOf(text: string): Parts {
  const found = known.get(text)
  if (found) return found
  const parts: (string | Simple)[] = []
  for (const [index, piece] of text.split('{{').entries()) {
    const end = piece.indexOf('}}')
    const expression = index > 0 && end >= 0 ? compileSimple(piece.slice(0, end)) : undefined
    if (index > 0 && !expression) return keep(text, notSimple)
    if (expression) parts.push(expression)
    const rest = index > 0 ? piece.slice(end + 2) : piece
    if (rest) parts.push(rest)
  }
  return keep(text, parts)
}

function keep(text: string, parts: Parts): Parts {
  known.set(text, parts)
  return parts
}
