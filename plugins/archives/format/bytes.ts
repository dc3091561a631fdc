import { Closed, compileSchema } from 'agent-platform'
import { Type } from 'typebox'
import type { ArchiveRecord, ReadRecord } from '../contract.ts'

/** The kind of a line with bytes of the record before it. */
export const BYTES = 'bytes'
/** Of one line. */
const PIECE = 262_144
const checkLine = compileSchema(Closed({ base64: Type.String({ maxLength: Math.ceil(PIECE / 3) * 4 }) }))

/** What is wrong with the data of a line of bytes, if anything. */
export function faultOfBytes(data: object): string | undefined {
  const fault = checkLine(data)
  if (fault) return `(${BYTES}): ${fault.at} ${fault.text}`
  const { base64 } = data as { base64: string }
  return Buffer.from(base64, 'base64').toString('base64') === base64 ? undefined : `(${BYTES}) is not base64`
}

/** Records as lines, with those of their bytes behind them. */
export async function* linesOf(records: AsyncIterable<ArchiveRecord>): AsyncGenerator<ArchiveRecord, void> {
  for await (const { kind, data, bytes = [] } of records) {
    yield { kind, data }
    for await (const piece of bytes)
      for (let at = 0; at < piece.length; at += PIECE) {
        const { buffer, byteOffset, length } = piece.subarray(at, at + PIECE)
        yield { kind: BYTES, data: { base64: Buffer.from(buffer, byteOffset, length).toString('base64') } }
      }
  }
}

/** Lines as records. What is left of the bytes of one is passed over when the next is asked for. */
export async function* recordsOf(lines: AsyncIterable<ArchiveRecord>): AsyncGenerator<ReadRecord, void> {
  const source = lines[Symbol.asyncIterator]()
  try {
    let next = await source.next()
    async function* bytes() {
      while (!next.done && next.value.kind === BYTES) {
        const { base64 } = next.value.data as { base64: string }
        next = await source.next()
        yield Buffer.from(base64, 'base64')
      }
    }
    while (!next.done) {
      const { kind, data } = next.value
      next = await source.next()
      yield { kind, data, bytes: bytes() }
      for await (const _ of bytes());
    }
  } finally {
    await source.return?.()
  }
}
