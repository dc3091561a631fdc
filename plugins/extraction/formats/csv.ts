import { parse } from 'csv-parse/sync'
import type { FormatInput, FormatPreview, FormatText } from '../contract.ts'
import { refused } from '../questions.ts'
import { decode } from './charset.ts'

/** Characters of a row. */
const MOST_OF_ROW = 262_144
const MOST_ROWS = 100_000
const MOST_COLUMNS = 1_000
const SHOWN = { rows: 200, columns: 50, characters: 500 }

type Rows = readonly (readonly string[])[]

/** A table of Markdown, as many rows as there is room for. */
export function text(document: FormatInput): FormatText {
  const { rows, warnings, truncated } = read(document, MOST_ROWS)
  const width = Math.max(0, ...rows.slice(0, 100).map(({ length }) => length))
  const lines: string[] = []
  let left = document.limits.characters
  for (const [index, row] of rows.entries()) {
    const cells = Array.from({ length: Math.max(width, row.length) }, (_, at) => markdownCell(row[at] ?? ''))
    lines.push(`| ${cells.join(' | ')} |`)
    if (index === 0) lines.push(`|${' --- |'.repeat(cells.length)}`)
    left -= (lines.at(-1)?.length ?? 0) + 1
    if (left < 0) break
  }
  return { text: lines.join('\n'), mediaType: 'text/markdown', warnings, truncated: truncated || left < 0 }
}

export function preview(document: FormatInput): FormatPreview {
  const { rows, warnings, truncated } = read(document, SHOWN.rows + 2)
  const [head = [], ...body] = rows
  const shown = body.slice(0, SHOWN.rows)
  const isWide = rows.some(({ length }) => length > SHOWN.columns)
  const line = (name: 'th' | 'td', row: readonly string[]) =>
    `<tr>${row
      .slice(0, SHOWN.columns)
      .map((it) => `<${name}>${htmlCell(it)}</${name}>`)
      .join('')}</tr>`
  const html = `<table><thead>${line('th', head)}</thead><tbody>${shown.map((it) => line('td', it)).join('\n')}</tbody></table>`
  return {
    mediaType: 'text/html',
    body: html,
    warnings,
    truncated: truncated || body.length > shown.length || isWide
  }
}

function read(
  document: FormatInput,
  most: number
): { rows: Rows; warnings: readonly string[]; truncated: boolean } {
  const { text, warnings } = decode(document)
  // Read no further than it is needed, of a document that may be large.
  const room = most === MOST_ROWS ? document.limits.characters : most * 20_000
  const part = text.slice(0, room + MOST_OF_ROW)
  const rows = parsed(part, delimiterOf(text), most)
  const whole = part.length < text.length && rows.length < most && rows.length > 1 ? rows.slice(0, -1) : rows
  const truncated = part.length < text.length || rows.length >= most
  return { rows: whole, warnings, truncated }
}

function parsed(text: string, delimiter: string, to: number): Rows {
  try {
    return parse(text, {
      delimiter,
      to,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: MOST_OF_ROW,
      on_record: (row: string[]) => {
        if (row.length > MOST_COLUMNS)
          throw refused('document_too_large', `has more than ${MOST_COLUMNS} columns`)
        return row
      }
    })
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'document_too_large') throw error
    if (code === 'CSV_MAX_RECORD_SIZE')
      throw refused('document_too_large', `has a row of more than ${MOST_OF_ROW} characters`)
    throw refused('document_broken', 'is no table of separated values')
  }
}

/** The one that its first line has most of. */
function delimiterOf(text: string): string {
  const [line = ''] = text.slice(0, 10_000).split('\n', 1)
  const counts = [',', ';', '\t', '|'].map((it) => ({ it, count: line.split(it).length }))
  return counts.reduce((best, other) => (other.count > best.count ? other : best)).it
}

const markdownCell = (text: string) => text.replace(/\s+/g, ' ').trim().replace(/[\\|]/g, '\\$&')
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const htmlCell = (text: string) =>
  text.slice(0, SHOWN.characters).replace(/[&<>]/g, (it) => ENTITIES[it] ?? it)
