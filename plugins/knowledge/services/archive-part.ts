import type { Kernel } from 'agent-platform'
import { invalid, typeOfId } from 'agent-platform'
import type { Static } from 'typebox'
import type { ArchivePart, Importing } from '../../archives/contract.ts'
import type { Files } from '../../files/contract.ts'
import { folders } from '../schemas/folders.ts'
import { grants } from '../schemas/grants.ts'
import type { StoredSpace } from '../schemas/spaces.ts'
import { spaces } from '../schemas/spaces.ts'
import type { DocumentStore, Place } from '../stores/documents.ts'
import { hashOf } from '../text/names.ts'
import type { Original } from './archive-records.ts'
import { Document, Folder, inPlace, Past, Space, textOf } from './archive-records.ts'
import { createArchivedDocuments } from './archived-documents.ts'
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

/** A document that is being made, with what was read of it last. */
interface Made {
  readonly at: Place
  readonly id: string
  /** Its files here, by what they are. */
  readonly files: Map<string, string>
  text: { readonly hash: string; readonly text: string }
}

/** Spaces of its owner that the agent was granted, with their folders, and their documents as they are and as they were. */
export function createArchivePart(deps: Deps): ArchivePart {
  const { knex, transaction, points, files, spaceService, grantService, arrivals } = deps
  const { documentsOf } = createArchivedDocuments(deps)

  const isKnown = (provider: string) =>
    provider === EMBEDDED || points.all('knowledge.provider').some(({ key }) => key === provider)

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
