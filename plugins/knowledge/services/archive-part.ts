import { Readable } from 'node:stream'
import type { Kernel } from 'agent-platform'
import { Closed, invalid, Name, OrNull, Time, typeOfId } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { ArchivePart, Exporting, Importing, ReadRecord } from '../../archives/contract.ts'
import type { Files } from '../../files/contract.ts'
import type { StoredDocument } from '../schemas/documents.ts'
import { documents, MAX_TEXT, mediaType } from '../schemas/documents.ts'
import { folders } from '../schemas/folders.ts'
import { grants } from '../schemas/grants.ts'
import type { StoredSpace } from '../schemas/spaces.ts'
import { spaces } from '../schemas/spaces.ts'
import type { DocumentStore, Place } from '../stores/documents.ts'
import { hashOf } from '../text/names.ts'
import type { Arrivals } from './arrivals.ts'
import type { createGrantService } from './grants.ts'
import type { SpaceService } from './spaces.ts'
import { EMBEDDED } from './spaces.ts'

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'points'> {
  files: Files | undefined
  documentStore: DocumentStore
  spaceService: SpaceService
  grantService: ReturnType<typeof createGrantService>
  arrivals: Arrivals
}

const id = Type.String({ maxLength: 100 })
const sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const path = Type.String({ minLength: 1, maxLength: 4_000 })
const Space = Closed({
  id,
  name: Name(),
  description: OrNull(Type.String({ maxLength: 5_000 })),
  provider: Type.String({ maxLength: 100 }),
  level: Type.Enum([...grants.levels])
})
const Folder = Closed({ spaceId: id, path })
const version = Type.Integer({ minimum: 1, maximum: 1_000_000_000 })
const fields = {
  path,
  title: Name(),
  mediaType,
  text: sha256,
  pages: OrNull(Type.Array(Type.Integer({ minimum: 0, maximum: MAX_TEXT }), { maxItems: 100_000 })),
  original: OrNull(Closed({ sha256, name: Type.String({ minLength: 1, maxLength: 255 }) }))
}
const Document = Closed({ spaceId: id, ...fields, version: Type.Optional(version) })
/** What the document before it was. Its text lies behind it, unless it is that of the record before. */
const Past = Closed({
  ...fields,
  version,
  at: Time,
  tags: Type.Array(Type.String(), { maxItems: 100 })
})
type Space = Static<typeof Space>
type Document = Static<typeof Document>
type Past = Static<typeof Past>
type Original = Document['original']
/** A document that is being made, with what was read of it last. */
interface Made {
  readonly at: Place
  readonly id: string
  /** Its files here, by what they are. */
  readonly files: Map<string, string>
  text: { readonly hash: string; readonly text: string }
}

const PAGE = 200
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Spaces of its owner that the agent was granted, with their folders, and their documents as they are and as they were. */
export function createArchivePart(deps: Deps): ArchivePart {
  const { knex, transaction, points, files, documentStore, spaceService, grantService, arrivals } = deps

  const isKnown = (provider: string) =>
    provider === EMBEDDED || points.all('knowledge.provider').some(({ key }) => key === provider)

  /** The uploaded file that a document was made of, where it is there. */
  async function originalOf({ by, blob }: Exporting, { fileId }: Pick<StoredDocument, 'fileId'>) {
    if (fileId === null || !files) return null
    const file = await files.find(by, fileId, 'read').catch(() => undefined)
    if (!file) return null
    return { sha256: blob({ ...file, open: () => files.stream(file) }), name: file.name }
  }

  async function* documentsOf(of: Exporting, { project, id: spaceId }: StoredSpace) {
    for (let after = ''; ; ) {
      const rows: StoredDocument[] = await knex(documents.name)
        .where({ project, spaceId })
        .where('id', '>', after)
        .orderBy('id')
        .limit(PAGE)
        .select([...documents.columns])
      for (const row of rows) {
        const { path, title, mediaType, hash, size } = row
        const found = await documentStore.findText(row, hash)
        if (!found) continue
        const open = async () => {
          const again = await documentStore.findText(row, hash)
          return Readable.from([Buffer.from(again?.text ?? '')])
        }
        const text = of.blob({ sha256: hash, size, open })
        const { version } = row
        const about = { spaceId, path, title, mediaType, text, pages: found.pages ?? null, version }
        yield { kind: 'document', data: { ...about, original: await originalOf(of, row) } }
        yield* pastOf(of, row)
      }
      const last = rows.at(-1)
      if (!last) return
      after = last.id
    }
  }

  async function* pastOf(of: Exporting, document: StoredDocument) {
    if (document.version === 1) return
    let last = document.hash
    for (let after = 0; ; ) {
      const some = await documentStore.listPast(document, after, PAGE)
      for (const past of some) {
        after = past.version
        const found = await documentStore.findText(past, past.hash)
        if (!found) continue
        const { path, title, mediaType, hash, tags, version, createdAt } = past
        const about = { path, title, mediaType, text: hash, pages: found.pages ?? null, tags, version }
        const data = { ...about, at: createdAt, original: await originalOf(of, past) }
        yield {
          kind: 'past',
          data,
          ...(hash !== last && { bytes: Readable.from([Buffer.from(found.text)]) })
        }
        last = hash
      }
      if (some.length < PAGE) return
    }
  }

  async function makeSpace({ by, agentId, reserve, map }: Importing, space: Space): Promise<Place> {
    const spaceId = await reserve('space')
    const { id: before, level, provider, ...about } = space
    const known = isKnown(provider) ? provider : EMBEDDED
    await spaceService.create(by, { ...about, provider: known }, spaceId)
    await grantService.grant(by, spaceId, { subjectType: 'agent', subjectId: agentId, level })
    map(before, spaceId)
    return { project: by.project, spaceId }
  }

  /** The file of an original; one that several versions of a document have is made once. */
  async function storeOriginal(
    { by, reserve, blob }: Importing,
    { spaceId }: Place,
    { original, mediaType }: { original: Original; mediaType: string },
    known: Map<string, string>
  ): Promise<string | null> {
    if (!original || !files) return null
    const key = JSON.stringify([original.sha256, original.name, mediaType])
    const there = known.get(key)
    if (there !== undefined) return there
    const fileId = await reserve('file')
    await files.store(by, blob(original.sha256).open(), {
      id: fileId,
      name: original.name,
      mediaType,
      origin: { type: 'internal', chain: [{ type: 'space', id: spaceId }] }
    })
    known.set(key, fileId)
    return fileId
  }

  async function makeDocument(into: Importing, at: Place, document: Document): Promise<Made> {
    const { spaceId: _, text: digest, original, version, ...about } = document
    const text = await textOf(into.blob(digest).open())
    const known = new Map<string, string>()
    const fileId = await storeOriginal(into, at, document, known)
    const arriving = { ...about, fileId, text, ...(version && { version }) }
    const { id } = await arrivals.document(into.by, at, arriving)
    return { at, id, files: known, text: { hash: digest, text } }
  }

  async function makePast(into: Importing, of: Made, past: Past, bytes: AsyncIterable<Buffer>) {
    const { text: hash, original, ...about } = past
    if (hash !== of.text.hash) {
      const text = await textOf(bytes)
      if (hashOf(text).hash !== hash)
        throw invalid('/fileId', 'A past version of a document has another text', 'archive_invalid')
      of.text = { hash, text }
    }
    const fileId = await storeOriginal(into, of.at, past, of.files)
    await arrivals.past(into.by, of.at, of.id, { ...about, fileId, text: of.text.text })
  }

  return {
    version: 2,
    what: 'the knowledge spaces that it was granted, with their documents and past versions of these',
    records: { space: Space, folder: Folder, document: Document, past: Past },
    withBytes: ['past'],

    async *export(of) {
      const { project, owner, id: agentId } = of.agent
      const granted = await knex(grants.name)
        .where({ project, subjectType: 'agent', subjectId: agentId })
        .orderBy('spaceId')
        .select('spaceId', 'level')
      for (const { spaceId, level } of granted) {
        const space = (await spaces.find(knex, spaceId)) as StoredSpace | undefined
        if (!space) continue
        const { name, description, provider } = space
        if (space.owner !== owner) {
          of.need({
            type: 'space',
            name: spaceId,
            text: 'A knowledge space of another owner: have it granted anew'
          })
          continue
        }
        yield { kind: 'space', data: { id: spaceId, name, description, provider, level } }
        const paths: string[] = await knex(folders.name)
          .where({ project, spaceId })
          .orderBy('path')
          .pluck('path')
        for (const path of paths) yield { kind: 'folder', data: { spaceId, path } }
        yield* documentsOf(of, space)
      }
    },

    async examine({ lack }, records) {
      for await (const { kind, data } of inPlace(records)) {
        const { provider, name } = data as Space
        if (kind === 'space' && !isKnown(provider))
          lack({
            type: 'provider',
            name: provider,
            text: `The space ${name.slice(0, 200)} is searched by the platform itself`
          })
      }
    },

    async import(into, records) {
      const places = new Map<string, Place>()
      let made: Made | undefined
      for await (const { kind, data, bytes } of inPlace(records)) {
        into.signal.throwIfAborted()
        if (kind === 'space') places.set((data as Space).id, await makeSpace(into, data as Space))
        else if (kind === 'past') await makePast(into, made as Made, data as Past, bytes)
        else {
          const at = places.get((data as Document).spaceId) as Place
          if (kind === 'folder') await arrivals.folder(into.by, at, (data as Static<typeof Folder>).path)
          else made = await makeDocument(into, at, data as Document)
        }
      }
    },

    async undo(by, ids) {
      for (const id of ids) {
        if (typeOfId(id) === 'space') {
          if (await spaces.find(knex, id)) await spaceService.remove(by, id)
        } else if (files) await transaction((trx) => files.remove(trx, by, { ...by, id }))
      }
    }
  }
}

/** Refuses folders and documents of no space, and past versions of no document or in no order. */
async function* inPlace(records: AsyncIterable<ReadRecord>): AsyncGenerator<ReadRecord, void> {
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

async function textOf(bytes: AsyncIterable<Buffer>): Promise<string> {
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
