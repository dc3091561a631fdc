import { Closed, invalid, Name, OrNull, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { ReadRecord } from '../../archives/contract.ts'
import { MAX_TEXT, mediaType } from '../schemas/documents.ts'
import { grants } from '../schemas/grants.ts'

const id = Type.String({ maxLength: 100 })
const sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const path = Type.String({ minLength: 1, maxLength: 4_000 })
export const Space = Closed({
  id,
  name: Name(),
  description: OrNull(Type.String({ maxLength: 5_000 })),
  provider: Type.String({ maxLength: 100 }),
  level: Type.Enum([...grants.levels])
})
export const Folder = Closed({ spaceId: id, path })
const version = Type.Integer({ minimum: 1, maximum: 1_000_000_000 })
const fields = {
  path,
  title: Name(),
  mediaType,
  text: sha256,
  pages: OrNull(Type.Array(Type.Integer({ minimum: 0, maximum: MAX_TEXT }), { maxItems: 100_000 })),
  original: OrNull(Closed({ sha256, name: Type.String({ minLength: 1, maxLength: 255 }) }))
}
export const Document = Closed({ spaceId: id, ...fields, version: Type.Optional(version) })
/** What the document before it was. Its text lies behind it, unless it is that of the record before. */
export const Past = Closed({
  ...fields,
  version,
  at: Time,
  tags: Type.Array(Type.String(), { maxItems: 100 })
})
export type Space = Static<typeof Space>
export type Document = Static<typeof Document>
export type Past = Static<typeof Past>
export type Original = Document['original']

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Refuses folders and documents of no space, and past versions of no document or in no order. */
export async function* inPlace(records: AsyncIterable<ReadRecord>): AsyncGenerator<ReadRecord, void> {
  const spaces = new Set<string>()
  /** Versions that one more may have lie between these. */
  let [above, below] = [0, 0]
  for await (const record of records) {
    const { kind, data } = record
    if (kind === 'space') spaces.add((data as Space).id)
    else if (kind === 'past') {
      const { version } = data as Past
      if (version <= above || version >= below)
        throw invalid(
          '/fileId',
          'The archive has a past version of a document that is none',
          'archive_invalid'
        )
      above = version
    } else if (!spaces.has((data as Document).spaceId))
      throw invalid('/fileId', 'The archive has a document without its space', 'archive_invalid')
    if (kind !== 'past') [above, below] = [0, kind === 'document' ? ((data as Document).version ?? 1) : 0]
    yield record
  }
}

export async function textOf(bytes: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of bytes) {
    size += piece.length
    if (size > 4 * MAX_TEXT) throw invalid('/fileId', 'The text of a document is too long', 'text_too_long')
    pieces.push(piece)
  }
  try {
    return utf8.decode(Buffer.concat(pieces))
  } catch {
    throw invalid('/fileId', 'The text of a document is not UTF-8', 'not_utf8')
  }
}
