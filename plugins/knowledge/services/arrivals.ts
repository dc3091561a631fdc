import type { Kernel, Principal, Trx } from 'agent-platform'
import { insufficientStorage, invalid, newId, notFound } from 'agent-platform'
import type { StoredDocument } from '../schemas/documents.ts'
import { MAX_TEXT } from '../schemas/documents.ts'
import { folders, isFileName } from '../schemas/folders.ts'
import type { KnowledgeSettings } from '../settings.ts'
import type { DocumentStore, Place } from '../stores/documents.ts'
import type { FolderStore } from '../stores/folders.ts'
import type { SpaceStore } from '../stores/spaces.ts'
import { hashOf } from '../text/names.ts'
import { stateOf } from './documents.ts'
import { MAX_DEPTH, nameTaken } from './folders.ts'
import type { Indexing } from './indexing.ts'

export type Arrivals = ReturnType<typeof createArrivals>

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  settings: KnowledgeSettings
  spaceStore: SpaceStore
  folderStore: FolderStore
  documentStore: DocumentStore
  indexing: Indexing
}

/** A document that was whole elsewhere. */
export interface Arriving extends Pick<StoredDocument, 'path' | 'title' | 'mediaType' | 'fileId'> {
  readonly text: string
  readonly pages: readonly number[] | null
  /** Left out: its first. */
  readonly version?: number
}
/** What it was in an earlier version. */
export interface ArrivingPast extends Omit<Arriving, 'version'>, Pick<StoredDocument, 'tags' | 'version'> {
  /** When it became that. */
  readonly at: string
}

/** Documents and folders at paths in a space of the principal's, as they were elsewhere; searched anew. */
export function createArrivals(deps: Deps) {
  const { transaction, facts, settings, spaceStore, folderStore, documentStore, indexing } = deps

  function namesOf(path: string): { name: string; above: readonly string[] } {
    const names = path.split('/')
    if (!names.every(isFileName) || names.length > MAX_DEPTH + 1)
      throw invalid('/fileId', 'A path is none of a document or folder', 'bad_path')
    return { name: names.at(-1) as string, above: names.slice(0, -1) }
  }

  function checkText(text: string): void {
    if (text.length > MAX_TEXT || text.includes('\0'))
      throw invalid('/fileId', 'A text cannot be kept', 'text_invalid')
  }

  async function locked(trx: Trx, { project, spaceId }: Place): Promise<void> {
    if (!(await spaceStore.lock(trx, { project, id: spaceId }))) throw notFound('Knowledge space')
  }

  /** The folder at a path, with those above it; made where it is not there. */
  async function folderAt(
    trx: Trx,
    by: Principal,
    at: Place,
    names: readonly string[]
  ): Promise<string | null> {
    if (names.length === 0) return null
    const path = names.join('/')
    const known = await trx(folders.name)
      .where({ ...at, path })
      .first('id')
    if (known) return known.id
    const parentId = await folderAt(trx, by, at, names.slice(0, -1))
    const name = names.at(-1) as string
    if (names.length > MAX_DEPTH || (await folderStore.count(trx, at)) >= settings.maxFolders)
      throw insufficientStorage(`A space holds ${settings.maxFolders} folders, ${MAX_DEPTH} levels deep`)
    if (await folderStore.findNamed(trx, at, parentId, name)) throw nameTaken(name)
    const data = await folders.insert(trx, { ...at, owner: by.owner, parentId, name, path })
    await facts.record(trx, 'knowledge.folder_created', by, { subject: data.id, owner: data.owner, data })
    return data.id
  }

  return {
    folder: (by: Principal, at: Place, path: string): Promise<unknown> =>
      transaction(async (trx) => {
        const { name, above } = namesOf(path)
        await locked(trx, at)
        await folderAt(trx, by, at, [...above, name])
      }),

    async document(by: Principal, at: Place, arriving: Arriving): Promise<StoredDocument> {
      const { path, title, mediaType, fileId, text, pages, version } = arriving
      const { name, above } = namesOf(path)
      checkText(text)
      const analysis = await indexing.analyse(text, mediaType, pages ?? undefined)
      const { hash, size } = hashOf(text)
      const { owner } = by
      return transaction(async (trx) => {
        await locked(trx, at)
        if ((await documentStore.count(trx, at)) >= settings.maxDocuments)
          throw insufficientStorage(`A space holds ${settings.maxDocuments} documents`)
        const folderId = await folderAt(trx, by, at, above)
        if (await folderStore.findNamed(trx, at, folderId, name)) throw nameTaken(name)
        await documentStore.insertTexts(trx, at, [{ hash, text, pages }])
        const about = { owner, folderId, name, title, path, mediaType, fileId, hash, size }
        const [row] = await documentStore.insertAll(trx, [
          {
            ...at,
            ...about,
            ...stateOf(analysis, arriving),
            ...(version && { version }),
            id: newId('document')
          }
        ])
        const data = row as StoredDocument
        await documentStore.insertRevisions(trx, owner, [data])
        await indexing.index(trx, at, [{ row: data, text, analysis }])
        await facts.record(trx, 'knowledge.document_created', by, { subject: data.id, owner, data })
        return data
      })
    },

    /** What a document that arrived was before: it can be read, and is not searched. */
    async past(by: Principal, at: Place, documentId: string, past: ArrivingPast): Promise<void> {
      const { at: createdAt, path, title, mediaType, fileId, text, pages, tags, version } = past
      const { name, above } = namesOf(path)
      checkText(text)
      const { hash, size } = hashOf(text)
      await transaction(async (trx) => {
        await locked(trx, at)
        await documentStore.insertTexts(trx, at, [{ hash, text, pages }])
        const folder = await trx(folders.name)
          .where({ ...at, path: above.join('/') })
          .first('id')
        const about = { name, title, path, mediaType, fileId, hash, size, tags, version, createdAt }
        await documentStore.insertPast(trx, by.owner, {
          ...at,
          ...about,
          documentId,
          folderId: folder?.id ?? null
        })
      })
    }
  }
}
