import { Readable } from 'node:stream'
import { compileSchema, invalid, pace, unsupportedMedia } from 'agent-platform'
import type { Item } from '../schemas/items.ts'
import { MOST_METADATA, MOST_TEXT, NewItem } from '../schemas/items.ts'

export type Format = 'jsonl' | 'csv'
type Given = Required<NewItem>

const MOST_LINE = 4 * MOST_TEXT
const PIECE = 65_536
const utf8 = new TextDecoder('utf-8', { fatal: true })
let check: ReturnType<typeof compileSchema> | undefined

/** The format that a content type names; 415 for another one. */
export function formatOf(contentType: string | undefined): Format {
  switch (contentType?.split(';')[0]?.trim().toLowerCase()) {
    case 'text/csv':
      return 'csv'
    case 'application/jsonl':
    case 'application/x-ndjson':
      return 'jsonl'
    default:
      throw unsupportedMedia('The body must be text/csv, application/jsonl or application/x-ndjson')
  }
}

/** The items of a file; 400 with the line of the first one that is none. More than `most` is 400, too. */
export async function readItems(format: Format, bytes: Buffer, most: number): Promise<readonly Given[]> {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw invalid('', 'The body is not UTF-8')
  }
  const found: Given[] = []
  for await (const { line, value } of format === 'csv' ? rowsOf(text) : linesOf(text)) {
    await pace()
    if (found.length >= most) throw invalid('', `Line ${line}: a dataset has at most ${most} items`)
    found.push(itemOf(value, line))
  }
  if (found.length === 0) throw invalid('', 'There is no item in the body')
  return found
}

interface Read {
  readonly line: number
  readonly value: unknown
}

function* linesOf(text: string): Generator<Read> {
  let line = 0
  for (const one of text.split('\n')) {
    line++
    if (one.trim() === '') continue
    let value: unknown
    try {
      value = JSON.parse(one)
    } catch {
      throw invalid('', `Line ${line} is not JSON`)
    }
    yield { line, value }
  }
}

/** Columns beside `input` and `expected` are metadata, but for those of our own exports, which say nothing of an item. */
async function* rowsOf(text: string): AsyncGenerator<Read> {
  const pieces = Array.from({ length: Math.ceil(text.length / PIECE) }, (_, at) =>
    text.slice(at * PIECE, (at + 1) * PIECE)
  )
  // Few platforms ever read one: a start does not load what reads them.
  const { parse } = await import('csv-parse')
  const parser = parse({ columns: true, bom: true, info: true, max_record_size: MOST_LINE, trim: false })
  const rows = Readable.from(pieces).pipe(parser)
  try {
    for await (const { info, record } of rows) {
      const { input, expected, ...others } = record as Record<string, string>
      if (input === undefined) throw invalid('', 'There is no column "input" in the first line')
      const metadata = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== ''))
      yield { line: info.lines, value: { input, expected: expected || null, metadata } }
    }
  } catch (error) {
    const { kind, message, lines } = error as { kind?: string; message: string; lines?: number }
    if (kind !== undefined) throw error
    throw invalid('', `Line ${lines ?? 1}: ${message}`)
  }
}

function itemOf(value: unknown, line: number): Given {
  check ??= compileSchema(NewItem)
  const fault = check(value)
  if (fault) throw invalid('', `Line ${line}: ${fault.at.slice(1) || 'it'} ${fault.text}`)
  const { input, expected = null, metadata = {} } = value as NewItem
  if (!JSON.stringify(value).isWellFormed()) throw invalid('', `Line ${line} holds a lone surrogate`)
  return { input, expected, metadata }
}

/** A line of an export, with its end. */
export function lineOf(
  format: Format,
  { input, expected, metadata }: Item,
  names: readonly string[]
): string {
  if (format === 'jsonl') return `${JSON.stringify({ input, expected, metadata })}\n`
  return csvLine([input, expected ?? '', ...names.map((name) => metadata[name] ?? '')])
}

export const headOf = (format: Format, names: readonly string[]): string =>
  format === 'csv' ? csvLine(['input', 'expected', ...names]) : ''

/** Columns of metadata, of these items: as many as an item may have, several times over. */
export const MOST_COLUMNS = 10 * MOST_METADATA

/** Whatever it holds comes back as it was: nothing is changed for spreadsheets. */
const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => (/[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`
