import { extname } from 'node:path'

/** So much of a file's beginning tells what it is. */
export const SAMPLE_BYTES = 65_536

/** Kinds of text by the extension of a name: nothing in the bytes tells them apart. */
const texts: Readonly<Record<string, string>> = {
  '.txt': 'text/plain',
  '.log': 'text/plain',
  '.md': 'text/markdown',
  '.markdown': 'text/markdown',
  '.html': 'text/html',
  '.htm': 'text/html',
  '.xhtml': 'application/xhtml+xml',
  '.csv': 'text/csv',
  '.tsv': 'text/tab-separated-values',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
  '.jsonl': 'application/x-ndjson',
  '.xml': 'application/xml',
  '.svg': 'image/svg+xml',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
  '.ics': 'text/calendar'
}
const textual = new Set(Object.values(texts))

/**
 * What a file is, by its first bytes. Where they tell nothing and are text, by its name, else by what its sender says if that
 * is a kind of text, else `text/plain`; what is no text is `application/octet-stream`.
 */
export async function mediaTypeOf(head: Uint8Array, name: string, declared = ''): Promise<string> {
  const { fileTypeFromBuffer } = await import('file-type')
  const sniffed = await fileTypeFromBuffer(head).catch(() => undefined)
  const byName = texts[extname(name).toLowerCase()]
  // An SVG is XML to those who look for an XML declaration alone.
  if (sniffed && !/^(?:application|text)\/xml$/.test(sniffed.mime)) return sniffed.mime
  if (!sniffed && !isText(head)) return 'application/octet-stream'
  const said = declared.toLowerCase().split(';')[0]?.trim() ?? ''
  return (
    byName ??
    (/^text\/[a-z0-9.+-]{1,100}$/.test(said) || textual.has(said) ? said : (sniffed?.mime ?? 'text/plain'))
  )
}

const UTF16 = [
  [0xff, 0xfe],
  [0xfe, 0xff]
]

/** Control characters of ASCII that are no white space. */
const CONTROL = /[^\P{Cc}\s\u0080-\u009f]/u
/** Begins a colour in what was meant for a terminal. */
const ESCAPE = '\u001b'

/** UTF-8 without control characters but those of white space, as far as the sample goes, or UTF-16 that says so. */
function isText(head: Uint8Array): boolean {
  if (UTF16.some(([a, b]) => head[0] === a && head[1] === b)) return true
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return !CONTROL.test(text.replaceAll(ESCAPE, ''))
  } catch {
    return false
  }
}

/** What browsers show without running anything in it. Everything else is a download. */
const shown = new Set([
  'text/plain',
  ...['png', 'jpeg', 'gif', 'webp', 'avif', 'bmp'].map((kind) => `image/${kind}`),
  ...['mpeg', 'ogg', 'wav', 'flac', 'aac', 'mp4', 'webm'].map((kind) => `audio/${kind}`),
  ...['mp4', 'webm', 'ogg'].map((kind) => `video/${kind}`)
])
export const isShown = (mediaType: string): boolean => shown.has(mediaType)

/** With the charset that text has where nothing else is said. */
export const contentTypeOf = (mediaType: string): string =>
  mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType
