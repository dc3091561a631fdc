import { pace } from 'agent-platform'
import type { Nodes, Root } from 'mdast'

export interface Span {
  readonly start: number
  readonly end: number
}
export interface Heading extends Span {
  readonly depth: number
  readonly text: string
}
/** A link as Markdown has it, with its address as it is written. */
export interface MarkdownLink extends Span {
  readonly url: string
  readonly label: string
}
/** What counts in a text: positions are those of the whole text, in UTF-16 code units. */
export interface Structure {
  /** What stands at the top, one after the other. */
  readonly blocks: readonly Span[]
  readonly headings: readonly Heading[]
  readonly links: readonly MarkdownLink[]
  /** Code, HTML and links: no wiki links or tags are looked for there. */
  readonly opaque: readonly Span[]
}

/** Parsed at once; between pieces others have their turn. */
const PIECE = 8_192
/** Where no blank line comes: a paragraph of brackets takes quadratic time. */
const LONGEST = 16_384
/**
 * Text that is nested more deeply is read as plain text: parsers take quadratic time for it. No two parts of the pattern match the
 * same character, and the lookbehinds begin only where a row of marks begins, so that the time is linear.
 */
const NESTING =
  /^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])){40}|(?<!\[)\[{100}|(?<![*_][^\s*_]?)[*_](?:[^\s*_]?[*_]){399}/m

/** Reads Markdown in pieces that end at a blank line: one that is long holds up nobody. */
export async function structureOf(text: string, from: number): Promise<Structure> {
  if (NESTING.test(text)) return plainStructure(text, from)
  const processor = await parser()
  const found = { blocks: [], headings: [], links: [], opaque: [] }
  for (const { start, end } of piecesOf(text, from)) {
    await pace()
    const root = processor.parse(text.slice(start, end))
    for (const node of root.children) collectBlock(node, start, found)
  }
  return found
}

/** Paragraphs alone, of a part of the text. */
export function plainStructure(text: string, from: number, to = text.length): Structure {
  const blocks: Span[] = []
  for (const {
    index,
    0: { length }
  } of text.slice(from, to).matchAll(/\S(?:.|\n(?![ \t]*\r?\n))*/g))
    blocks.push({ start: from + index, end: from + index + length })
  return { blocks, headings: [], links: [], opaque: [] }
}

async function parser(): Promise<{ parse(text: string): Root }> {
  const [{ unified }, { default: remarkParse }, { default: remarkGfm }] = await Promise.all([
    import('unified'),
    import('remark-parse'),
    import('remark-gfm')
  ])
  return unified().use(remarkParse).use(remarkGfm).freeze()
}

/**
 * About as long as `PIECE`: each ends where a blank line stands before an unindented one, outside of fenced code. One
 * that would be much longer ends at a line, or within one.
 */
function* piecesOf(text: string, from: number): Generator<Span> {
  let start = from
  let fence: string | undefined
  let isBlank = false
  for (let at = from; at < text.length; ) {
    const end = fence === undefined ? lineEnd(text, at, start + LONGEST) : lineEnd(text, at, text.length)
    const line = text.slice(at, Math.min(end, at + 400))
    const isLong = end - start > LONGEST
    if (
      fence === undefined &&
      at > start &&
      (isLong || (isBlank && at - start >= PIECE && /^\S/.test(line)))
    ) {
      yield { start, end: at }
      start = at
    }
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence === undefined) fence = mark
    else if (mark?.startsWith(fence)) fence = undefined
    isBlank = line.trim() === ''
    at = end
  }
  if (start < text.length) yield { start, end: text.length }
}

/** Behind the line, or behind `LONGEST` more where it is longer than what is left before `limit`. */
function lineEnd(text: string, at: number, limit: number): number {
  const next = text.indexOf('\n', at)
  const end = next < 0 ? text.length : next + 1
  return end <= Math.max(limit, at + LONGEST) ? end : at + LONGEST
}

interface Found {
  blocks: Span[]
  headings: Heading[]
  links: MarkdownLink[]
  opaque: Span[]
}

const spanOf = (node: Nodes, at: number): Span => ({
  start: at + (node.position?.start.offset ?? 0),
  end: at + (node.position?.end.offset ?? 0)
})

function collectBlock(block: Nodes, at: number, found: Found): void {
  const span = spanOf(block, at)
  if (block.type === 'heading') found.headings.push({ ...span, depth: block.depth, text: textOf(block) })
  found.blocks.push(span)
  collectLinks(block, at, found)
}

function collectLinks(node: Nodes, at: number, found: Found): void {
  switch (node.type) {
    case 'code':
    case 'inlineCode':
    case 'html':
    case 'image':
      found.opaque.push(spanOf(node, at))
      return
    case 'link':
    case 'definition':
      found.opaque.push(spanOf(node, at))
      found.links.push({ ...spanOf(node, at), url: node.url, label: textOf(node) })
      return
  }
  if ('children' in node) for (const child of node.children) collectLinks(child, at, found)
}

/** What a reader sees of it. */
function textOf(node: Nodes): string {
  if ('value' in node) return node.value
  return 'children' in node ? node.children.map(textOf).join('').slice(0, 1_000) : ''
}
