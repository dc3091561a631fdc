/** What no reader sees, and ends by its name alone. */
const HIDDEN = new Set(['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'title'])
const BREAKS =
  /^(?:address|article|aside|blockquote|body|br|caption|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|legend|li|main|nav|ol|option|p|pre|section|summary|table|tr|ul)$/
/** Each costs parsing an address. */
const MOST_LINKS = 1_000
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  copy: '©',
  reg: '®',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  bull: '•',
  middot: '·',
  euro: '€',
  times: '×'
}

/**
 * The text of an HTML document: headings, lists, lines and links, without scripts, styles and other hidden elements. Takes linear
 * time, however malformed the document is. Links are relative to `base`; without it, relative links are left out.
 */
export function readHtml(html: string, base?: string): { title: string | undefined; text: string } {
  const parts: string[] = []
  let title: string | undefined
  let preformatted = 0
  let links = 0
  let target: string | undefined

  const say = (from: number, to: number) => {
    const text = decode(html.slice(from, to))
    parts.push(preformatted > 0 ? text : text.replace(/\s+/g, ' '))
  }

  for (let at = 0; at < html.length; ) {
    const open = html.indexOf('<', at)
    if (open !== at) say(at, open < 0 ? html.length : open)
    if (open < 0) break
    if (html.startsWith('<!--', open)) {
      at = after(html, '-->', open + 4)
      continue
    }
    const name = /<(\/?[a-z][a-z0-9]*)/iy
    name.lastIndex = open
    const found = name.exec(html)?.[1]?.toLowerCase()
    if (found === undefined) {
      const markup = html[open + 1] === '!' || html[open + 1] === '?' || html[open + 1] === '/'
      if (!markup) parts.push('<')
      at = markup ? after(html, '>', open) : open + 1
      continue
    }
    const end = after(html, '>', open)
    const tag = html.slice(open, end)
    at = end
    if (HIDDEN.has(found)) {
      if (tag.endsWith('/>') && found === 'svg') continue
      const close = new RegExp(`</${found}(?=[\\s/>])`, 'gi')
      close.lastIndex = end
      const closed = close.exec(html)?.index ?? html.length
      if (found === 'title') title ??= decode(html.slice(end, closed)).replace(/\s+/g, ' ').trim()
      at = after(html, '>', closed)
    } else if (found === 'a') {
      target = links < MOST_LINKS ? linkOf(tag, base) : undefined
      if (target !== undefined) links++
    } else if (found === '/a') {
      if (target !== undefined) parts.push(` (${target})`)
      target = undefined
    } else if (found === 'td' || found === 'th') parts.push(' ')
    else {
      if (found === 'pre') preformatted++
      if (found === '/pre') preformatted = Math.max(0, preformatted - 1)
      if (BREAKS.test(found.replace('/', ''))) parts.push('\n')
      if (found === 'li') parts.push('- ')
      if (/^h[1-6]$/.test(found)) parts.push(`${'#'.repeat(Number(found[1]))} `)
    }
  }
  return { title: title || undefined, text: tidy(parts.join('')) }
}

/** The place behind the next `mark`, or the end. */
function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from)
  return found < 0 ? html.length : found + mark.length
}

function linkOf(tag: string, base: string | undefined): string | undefined {
  const found = /\shref\s*=/i.exec(tag)
  if (!found) return undefined
  const rest = tag.slice(found.index + found[0].length).trimStart()
  const quote = rest[0]
  const ends = quote === '"' || quote === "'" ? rest.indexOf(quote, 1) : rest.search(/[\s>]/)
  const address = decode(
    rest.slice(quote === '"' || quote === "'" ? 1 : 0, ends < 0 ? undefined : ends)
  ).trim()
  if (address === '' || address.startsWith('#') || address.length > 2_000) return undefined
  const url = URL.parse(address, base)
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined
}

const decode = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z]{2,8}));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return NAMED[name] ?? whole
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code).toWellFormed() : '�'
  })

/** Without spaces at the ends of lines, and with at most one line between two that are empty. */
function tidy(text: string): string {
  const lines: string[] = []
  for (const line of text.split('\n').map((it) => it.trimEnd()))
    if (line !== '' || (lines.length > 0 && lines.at(-1) !== '')) lines.push(line.replace(/^ (?=\S)/, ''))
  return lines.join('\n').trim()
}
