import type { Element, Nodes, Root, RootContent } from 'hast'
import rehypeParse from 'rehype-parse'
import rehypeRemark from 'rehype-remark'
import rehypeStringify from 'rehype-stringify'
import remarkGfm from 'remark-gfm'
import remarkStringify from 'remark-stringify'
import { unified } from 'unified'
import type { FormatInput, FormatPreview, FormatText } from '../contract.ts'
import { decode } from './charset.ts'
import { nodesOf } from './nodes.ts'
import { writeNotation } from './notation.ts'
import { sanitised } from './sanitising.ts'

const SHOWN = 2_000_000
/** Blocks that are written at a time; paragraphs that are not marked as such are parted there. */
const AT_A_TIME = 500
const parsing = unified().use(rehypeParse)
const writing = unified().use(rehypeRemark).use(remarkGfm).use(remarkStringify)
const showing = unified().use(rehypeStringify)

export function text(document: FormatInput): FormatText {
  const until = performance.now() + document.limits.milliseconds
  const { tree, ...known } = read(document)
  return { ...known, ...markdownOf(tree, document.limits, until) }
}

export function preview(document: FormatInput): FormatPreview {
  const { tree, ...known } = read(document)
  return { ...known, ...htmlOf(tree) }
}

/** Markdown of a tree that was sanitised: as many of its blocks as there are room and time for. */
export function markdownOf(
  tree: Root,
  { characters }: Pick<FormatInput['limits'], 'characters'>,
  until: number
): Pick<FormatText, 'mediaType' | 'text' | 'truncated'> {
  writeNotation(tree)
  const blocks = blocksOf(tree)
  const parts: string[] = []
  let [at, size] = [0, 0]
  for (; at < blocks.length && size < characters && performance.now() < until; at += AT_A_TIME) {
    const part: Root = { type: 'root', children: blocks.slice(at, at + AT_A_TIME) }
    const text = writing.stringify(writing.runSync(part))
    parts.push(text)
    size += text.length + 1
  }
  return { mediaType: 'text/markdown', text: parts.join('\n'), truncated: at < blocks.length }
}

/** What stands beside each other, also where all of it lies in one element. */
function blocksOf(tree: Root): RootContent[] {
  let blocks: RootContent[] = tree.children
  for (let depth = 0; depth < 20; depth++) {
    const large = blocks.some(isLarge)
    if (!large) break
    blocks = blocks.flatMap((it): RootContent[] => (isLarge(it) ? it.children : [it]))
  }
  return blocks
}

const isPart = (it: RootContent): it is Element => it.type === 'element' && /^(div|section)$/.test(it.tagName)
const isLarge = (it: RootContent): it is Element =>
  isPart(it) && (it.children.length > AT_A_TIME || (it.children.length === 1 && it.children.every(isPart)))

export function htmlOf(tree: Root): Pick<FormatPreview, 'mediaType' | 'body' | 'truncated'> {
  const body = showing.stringify(tree)
  if (body.length <= SHOWN) return { mediaType: 'text/html', body }
  // Cut anywhere it would be another tree: as many of the blocks that stand beside each other as there is room for.
  const { children } = tree
  for (let most = children.length >> 1; most > 0; most >>= 1) {
    const part = showing.stringify({ type: 'root', children: children.slice(0, most) })
    if (part.length <= SHOWN) return { mediaType: 'text/html', body: part, truncated: true }
  }
  return { mediaType: 'text/html', body: '', truncated: true }
}

/** A sanitised tree of HTML, and how it calls itself. */
export function treeOf(html: string): { tree: Root; title?: string } {
  const parsed = parsing.parse(html)
  let title: string | undefined
  for (const node of nodesOf(parsed))
    if (node.type === 'element' && node.tagName === 'title') title ??= node.children.map(textOf).join('')
  return { tree: sanitised(parsed), ...(title !== undefined && { title }) }
}

function read(document: FormatInput) {
  const charset = document.charset ?? named(document.bytes)
  const { text, warnings } = decode({ ...document, ...(charset !== undefined && { charset }) })
  return { ...treeOf(text), warnings }
}

const textOf = (node: Nodes) => (node.type === 'text' ? node.value : '')

/** The charset that the document's own head names. */
function named(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1_024)).toString(
    'latin1'
  )
  return /<meta\s[^>]{0,200}charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(head)?.[1]
}
