import { depthOf } from 'agent-platform'
import type { ArchiveRecord } from '../contract.ts'

/** Of one record, as JSON. */
export const LINE_BYTES = 8_388_608
const DEPTH = 64
/** So much is gathered before it is packed. */
const PIECE = 65_536

/** Records as lines of JSON, some at a time. */
export async function* piecesOf(records: AsyncIterable<ArchiveRecord>): AsyncGenerator<Buffer, void> {
  let gathered: string[] = []
  let length = 0
  for await (const { kind, data } of records) {
    const line = `${JSON.stringify({ kind, data })}\n`
    if (Buffer.byteLength(line) > LINE_BYTES)
      throw new Error(`A record of the kind ${kind} has more than ${LINE_BYTES} bytes`)
    gathered.push(line)
    length += line.length
    if (length < PIECE) continue
    yield Buffer.from(gathered.join(''))
    gathered = []
    length = 0
  }
  if (length > 0) yield Buffer.from(gathered.join(''))
}

/** Lines of a stranger, each a record or bytes of one; `fail` makes the failure of what is none. */
export async function* readLines(
  pieces: AsyncIterable<Buffer>,
  fail: (text: string) => Error
): AsyncGenerator<ArchiveRecord, void> {
  let number = 0
  for await (const line of split(pieces, fail)) {
    number++
    yield recordOf(line, (text) => fail(`line ${number} ${text}`))
  }
}

async function* split(pieces: AsyncIterable<Buffer>, fail: (text: string) => Error) {
  let rest: Buffer[] = []
  let length = 0
  for await (const piece of pieces) {
    let from = 0
    for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, from)) {
      yield Buffer.concat([...rest, piece.subarray(from, at)])
      rest = []
      length = 0
      from = at + 1
    }
    rest.push(piece.subarray(from))
    length += piece.length - from
    if (length > LINE_BYTES) throw fail(`has a line of more than ${LINE_BYTES} bytes`)
  }
  if (length > 0) throw fail('ends within a line')
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function recordOf(line: Buffer, fail: (text: string) => Error): ArchiveRecord {
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(line))
  } catch {
    throw fail('is not JSON')
  }
  if (depthOf(value, DEPTH) > DEPTH) throw fail('is nested too deeply')
  if (!isStorable(value)) throw fail('has text that cannot be kept')
  const { kind, data, ...others } = Object(value)
  if (typeof kind !== 'string' || typeof data !== 'object' || data === null || Object.keys(others).length > 0)
    throw fail('is no record')
  return { kind, data }
}

/** Neither NUL nor half a character, which PostgreSQL does not keep, and no name that means something to JavaScript. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isStorable)
  return Object.entries(value).every(
    ([name, it]) => name !== '__proto__' && isStorable(name) && isStorable(it)
  )
}
