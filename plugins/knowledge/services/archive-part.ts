import { Readable } from 'node:stream'
import type { Kernel } from 'agent-platform'
import { Closed, invalid, Name, OrNull, typeOfId } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { ArchivePart, Exporting, Importing } from '../../archives/contract.ts'
import type { Files } from '../../files/contract.ts'
import type { StoredDocument } from '../schemas/documents.ts'
import { documents, MAX_TEXT, mediaType } from '../schemas/documents.ts'
import { folders } from '../schemas/folders.ts'
import { grants } from '../schemas/grants.ts'
import type { StoredSpace } from '../schemas/spaces.ts'
import { spaces } from '../schemas/spaces.ts'
import type { DocumentStore, Place } from '../stores/documents.ts'
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
const Document = Closed({
  spaceId: id,
  path,
  title: Name(),
  mediaType,
  text: sha256,
  pages: OrNull(Type.Array(Type.Integer({ minimum: 0, maximum: MAX_TEXT }), { maxItems: 100_000 })),
  original: OrNull(Closed({ sha256, name: Type.String({ minLength: 1, maxLength: 255 }) }))
})
type Space = Static<typeof Space>
type Document = Static<typeof Document>

const PAGE = 200
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Spaces of its owner that the agent was granted, with their folders and documents as they are now. */
export function createArchivePart(deps: Deps): ArchivePart {
  const { knex, transaction, points, files, documentStore, spaceService, grantService, arrivals } = deps

  const isKnown = (provider: string) =>
    provider === EMBEDDED || points.all('knowledge.provider').some(({ key }) => key === provider)

  /** The uploaded file that a document was made of, where it is there. */
  async function originalOf({ by, blob }: Exporting, { fileId }: StoredDocument) {
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
        const about = { spaceId, path, title, mediaType, text, pages: found.pages ?? null }
        yield { kind: 'document', data: { ...about, original: await originalOf(of, row) } }
      }
      const last = rows.at(-1)
      if (!last) return
      after = last.id
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

  async function makeDocument({ by, reserve, blob }: Importing, at: Place, document: Document) {
    const { text: digest, pages, original, path, title, mediaType } = document
    const text = await textOf(blob(digest))
    const fileId = original && files ? await reserve('file') : null
    if (fileId !== null && original)
      await files?.store(by, blob(original.sha256).open(), {
        id: fileId,
        name: original.name,
        mediaType,
        origin: { type: 'internal', chain: [{ type: 'space', id: at.spaceId }] }
      })
    await arrivals.document(by, at, { path, title, mediaType, fileId, text, pages })
  }

  return {
    version: 1,
    what: 'the knowledge spaces that it was granted, with their documents',
    records: { space: Space, folder: Folder, document: Document },

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
      for await (const { kind, data } of records) {
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
      for await (const { kind, data } of records) {
        into.signal.throwIfAborted()
        if (kind === 'space') {
          const space = data as Space
          places.set(space.id, await makeSpace(into, space))
          continue
        }
        const at = places.get((data as Document).spaceId)
        if (!at) throw invalid('/fileId', 'The archive has a document without its space', 'archive_invalid')
        if (kind === 'folder') await arrivals.folder(into.by, at, (data as Static<typeof Folder>).path)
        else await makeDocument(into, at, data as Document)
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

async function textOf({ size, open }: ReturnType<Importing['blob']>): Promise<string> {
  if (size > 4 * MAX_TEXT) throw invalid('/fileId', 'The text of a document is too long', 'text_too_long')
  try {
    return utf8.decode(Buffer.concat(await Array.fromAsync(open())))
  } catch {
    throw invalid('/fileId', 'The text of a document is not UTF-8', 'not_utf8')
  }
}
