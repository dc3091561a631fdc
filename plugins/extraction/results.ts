import type { ExtractedText, FormatInput, FormatPreview, FormatText, Preview } from './contract.ts'

const MOST_WARNINGS = 20
const MOST_TITLE = 500

// Control characters but tabs and line feeds, and what is no character.
const NO_TEXT = /(?![\t\n])[\p{Cc}\ufffe\uffff]/gu

/** Without what no text holds (PostgreSQL keeps no NUL), and with whole characters. */
export const clean = (text: string) => text.replace(/\r\n?/g, '\n').replace(NO_TEXT, '').toWellFormed()

/** Of a text that is too long the beginning, in whole characters. */
export const beginning = (text: string, most: number) =>
  text.length <= most ? text : text.slice(0, most).replace(/[\ud800-\udbff]$/, '')

export function finishedText(found: FormatText, { characters }: FormatInput['limits']): ExtractedText {
  const text = beginning(found.text, characters).toWellFormed()
  const pages = found.pages
    ?.filter(({ start }) => start < text.length || start === 0)
    .map(({ number, start, end }) => ({ number, start, end: Math.min(end, text.length) }))
  return {
    text,
    mediaType: found.mediaType ?? 'text/plain',
    ...titleOf(found.title),
    ...(pages && { pages }),
    ...(found.pageCount !== undefined && { pageCount: found.pageCount }),
    truncated: (found.truncated ?? false) || text.length < found.text.length,
    warnings: (found.warnings ?? []).slice(0, MOST_WARNINGS)
  }
}

export function finishedPreview({ body, title, truncated, warnings, ...found }: FormatPreview): Preview {
  return {
    ...found,
    ...titleOf(title),
    body: typeof body === 'string' ? Buffer.from(body) : body,
    truncated: truncated ?? false,
    warnings: (warnings ?? []).slice(0, MOST_WARNINGS)
  }
}

function titleOf(title: string | undefined) {
  const text = beginning(
    clean(title ?? '')
      .replace(/\s+/g, ' ')
      .trim(),
    MOST_TITLE
  )
  return text === '' ? {} : { title: text }
}
