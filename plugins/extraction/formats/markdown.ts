import { trimEndOf } from 'agent-platform'
import rehypeStringify from 'rehype-stringify'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import type { FormatInput, FormatPreview, FormatText } from '../contract.ts'
import { beginning } from '../results.ts'
import { decode } from './charset.ts'
import { sanitised } from './sanitising.ts'

const SHOWN = 200_000
const MOST_TITLE = 500
const FRONT_MATTER = /^---\n[\s\S]{0,20000}?\n---(?:\n|$)/

export function text(document: FormatInput): FormatText {
  const { text, warnings } = decode(document)
  return { text, mediaType: 'text/markdown', ...titled(text), warnings }
}

/** HTML within Markdown is left out. */
export function preview(document: FormatInput): FormatPreview {
  const { text: whole, warnings } = decode(document)
  const shown = beginning(whole.replace(FRONT_MATTER, ''), SHOWN)
  const processor = unified().use(remarkParse).use(remarkGfm).use(remarkRehype)
  const tree = processor.runSync(processor.parse(shown))
  const body = unified().use(rehypeStringify).stringify(sanitised(tree))
  return { mediaType: 'text/html', body, ...titled(whole), truncated: whole.length > SHOWN, warnings }
}

/** By its front matter, else its first heading. */
function titled(text: string): { title?: string } {
  const front = FRONT_MATTER.exec(text)?.[0] ?? ''
  const named = unquoted(/^title:(.*)$/m.exec(front)?.[1]?.trim() ?? '')
  const heading = /^#[ \t](.*)$/m.exec(text.slice(front.length, 20_000))?.[1] ?? ''
  const title = named || trimEndOf(heading.trim(), '#').trimEnd()
  return title === '' ? {} : { title: title.slice(0, MOST_TITLE).toWellFormed() }
}

const unquoted = (text: string) =>
  /^["']/.test(text) && text.length > 1 && text.endsWith(text[0] as string) ? text.slice(1, -1) : text
