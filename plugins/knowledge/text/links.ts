import type { Span, Structure } from './markdown.ts'
import { extensionOf, mediaTypeOf, stemOf } from './names.ts'

/** A link to another document, as the text has it. */
export interface Link extends Span {
  /** `wiki`: by name or title; `path`: by where the document lies. */
  readonly kind: 'wiki' | 'path'
  /** In small letters, without the extension: of a wiki link as it is written, else the path within the space. */
  readonly target: string
  readonly heading: string | null
  /** What a reader sees. */
  readonly label: string
}

const WIKI = /(?<!\\)\[\[([^[\]\n]{1,500})\]\]/g
const TAG = /(?<![\p{L}\p{N}_&/#[])#(\p{L}[\p{L}\p{N}_/-]{0,99})/gu
/** Links and tags of one document. */
const MOST = 5_000

/** Links to documents in the text of the one at `path`, in their order. */
export function linksOf(text: string, path: string, { links, opaque }: Structure): Link[] {
  const found: Link[] = []
  for (const { 0: all, 1: inner = '', index } of outside(text, WIKI, opaque)) {
    const [address = '', ...shown] = inner.split(/\\?\|/)
    const [page = '', ...below] = address.split('#')
    // A link to a heading of the page itself leads nowhere else.
    if (page.trim() === '') continue
    found.push({
      kind: 'wiki',
      target: wikiTarget(page),
      heading: below.join('#').trim() || null,
      label: shown.join('|').trim() || page.trim(),
      start: index,
      end: index + all.length
    })
  }
  for (const { url, label, start, end } of links) {
    const target = pathTarget(url, path)
    if (target === undefined) continue
    found.push({ kind: 'path', target, heading: fragmentOf(url), label: label.slice(0, 500), start, end })
  }
  return found.sort((a, b) => a.start - b.start).slice(0, MOST)
}

/** The tags in a text: `#word`, not in code or in links; in small letters. */
export function tagsOf(text: string, from: number, { opaque }: Structure): string[] {
  const tags = new Set<string>()
  for (const { 1: tag = '', index } of outside(text, TAG, opaque)) {
    if (index >= from) tags.add(tag.toLowerCase())
    if (tags.size >= 100) break
  }
  return [...tags]
}

function* outside(text: string, pattern: RegExp, opaque: readonly Span[]) {
  const spans = [...opaque].sort((a, b) => a.start - b.start)
  let next = 0
  for (const match of text.matchAll(pattern)) {
    while (next < spans.length && (spans[next] as Span).end <= match.index) next++
    const span = spans[next]
    if (!span || match.index < span.start) yield match
  }
}

const wikiTarget = (page: string): string =>
  stemOf(page.trim().replaceAll('\\', '/').replace(/^\/+/, '')).toLowerCase()

/** Where in the space an address leads; undefined where it is of something else than a document. */
function pathTarget(url: string, from: string): string | undefined {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|#|$)/i.test(url)) return undefined
  let path: string
  try {
    path = decodeURIComponent(url.replace(/[?#].*$/s, ''))
  } catch {
    return undefined
  }
  if (path === '' || (extensionOf(path) !== '' && mediaTypeOf(path) === undefined)) return undefined
  const segments = path.startsWith('/') ? [] : from.split('/').slice(0, -1)
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment !== '..') segments.push(segment)
    else if (segments.pop() === undefined) return undefined
  }
  return segments.length === 0 ? undefined : stemOf(segments.join('/')).slice(0, 4_000).toLowerCase()
}

function fragmentOf(url: string): string | null {
  const text = /#(.*)$/s.exec(url)?.[1]
  return text ? text.slice(0, 500) : null
}
