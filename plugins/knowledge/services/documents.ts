import type { Kernel, PageOf, Principal, Trx } from 'agent-platform'
import { insufficientStorage, invalid, newId, notFound } from 'agent-platform'
import type {
  Document,
  DocumentChanges,
  DocumentQuery,
  DocumentSummary,
  MediaType,
  NewDocument,
  StoredDocument
} from '../schemas/documents.ts'
import { documents } from '../schemas/documents.ts'
import type { KnowledgeSettings } from '../settings.ts'
import type { SpaceAccess } from '../stores/access.ts'
import type { DocumentStore, Place } from '../stores/documents.ts'
import type { FolderStore } from '../stores/folders.ts'
import type { SpaceStore } from '../stores/spaces.ts'
import type { Analysis } from '../text/analysis.ts'
import { hashOf, nameOf } from '../text/names.ts'
import { nameTaken } from './folders.ts'
import type { Indexing } from './indexing.ts'
import type { Linking } from './linking.ts'
import type { Removals } from './removals.ts'

export type DocumentService = ReturnType<typeof createDocumentService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts'> {
  settings: KnowledgeSettings
  spaceAccess: SpaceAccess
  spaceStore: SpaceStore
  folderStore: FolderStore
  documentStore: DocumentStore
  removals: Removals
  linking: Linking
  indexing: Indexing
}

export function createDocumentService(deps: Deps) {
  const {
    knex,
    transaction,
    facts,
    settings,
    spaceAccess,
    spaceStore,
    folderStore,
    documentStore,
    removals,
    linking,
    indexing
  } = deps

  async function locked(trx: Trx, { project, spaceId }: Place) {
    if (!(await spaceStore.lock(trx, { project, id: spaceId }))) throw notFound('Knowledge space')
  }

  async function pathOf(trx: Trx, at: Place, folderId: string | null, name: string): Promise<string> {
    if (folderId === null) return name
    const folder = await folderStore.find(trx, at, folderId)
    if (!folder) throw notFound('Folder', { param: '/folderId' })
    return `${folder.path}/${name}`
  }

  async function create(by: Principal, spaceId: string, input: NewDocument): Promise<Document> {
    const { project, owner } = await spaceAccess.find(by, spaceId, 'write')
    const { title, content, folderId = null, mediaType = 'text/markdown' } = input
    if (mediaType !== 'text/markdown' && mediaType !== 'text/plain')
      throw invalid(
        '/mediaType',
        `A document of ${mediaType} is made from its file: POST /v1/knowledge/${spaceId}/import`,
        'import_instead'
      )
    const { name = nameOf(title, mediaType) } = input
    const at = { project, spaceId }
    const text = { ...hashOf(content), text: content }
    const analysis = await indexing.analyse(content, mediaType)
    const made = await transaction(async (trx) => {
      await locked(trx, at)
      if ((await documentStore.count(trx, at)) >= settings.maxDocuments)
        throw insufficientStorage(`A space holds ${settings.maxDocuments} documents`)
      const path = await pathOf(trx, at, folderId, name)
      if (await folderStore.findNamed(trx, at, folderId, name)) throw nameTaken(name)
      await documentStore.insertTexts(trx, at, [text])
      const about = { owner, folderId, name, title, path, mediaType, fileId: null }
      const { hash, size } = text
      const [row] = await documentStore.insertAll(trx, [
        {
          ...at,
          ...about,
          ...stateOf(analysis, { text: content, mediaType }),
          id: newId('document'),
          hash,
          size
        }
      ])
      const data = row as StoredDocument
      await documentStore.insertRevisions(trx, by.owner, [data])
      await indexing.index(trx, at, [{ row: data, text: content, analysis }])
      await facts.record(trx, 'knowledge.document_created', by, { subject: data.id, owner, data })
      return { ...data, content }
    })
    await indexing.searchable(made)
    return made
  }

  async function list(
    by: Principal,
    spaceId: string,
    query: DocumentQuery
  ): Promise<PageOf<DocumentSummary>> {
    const { project } = await spaceAccess.find(by, spaceId, 'read')
    return documentStore.list({ project, spaceId }, query)
  }

  /** A document of that space; one that was deleted is told apart from one that never was. */
  async function find(by: Principal, spaceId: string, id: string, level: 'read' | 'write') {
    const { project } = await spaceAccess.find(by, spaceId, level)
    const found = await documents.find(knex, id)
    if (found?.spaceId === spaceId) return found
    if (await documentStore.findDeleted({ project, spaceId }, id))
      throw notFound('Document (it was deleted)', { code: 'document_deleted' })
    throw notFound(documents.what)
  }

  async function read(by: Principal, spaceId: string, id: string, version?: number): Promise<Document> {
    const found = await find(by, spaceId, id, 'read')
    if (version === undefined || version === found.version) return withText(found)
    const then = await documentStore.findRevision(found.project, id, version)
    if (!then) throw notFound('Version of the document')
    const { by: _, documentId: __, createdAt: updatedAt, ...about } = then
    return withText({ ...found, ...about, updatedAt, status: 'ready', progress: 100, error: null })
  }

  const withText = async (row: StoredDocument): Promise<Document> => ({
    ...row,
    content: (await documentStore.findText(row, row.hash))?.text ?? ''
  })

  async function update(
    by: Principal,
    spaceId: string,
    id: string,
    changes: DocumentChanges,
    version?: number
  ) {
    const { project, mediaType } = await find(by, spaceId, id, 'write')
    const at = { project, spaceId }
    const { content } = changes
    const text = content === undefined ? undefined : { ...hashOf(content), text: content }
    const analysis = text && (await indexing.analyse(text.text, mediaType))
    const updated = await transaction(async (trx) => {
      await locked(trx, at)
      const now = await documents.lock(trx, { project, id }, version)
      const { name = now.name, folderId = now.folderId, title = now.title } = changes
      const path = await pathOf(trx, at, folderId, name)
      if (await folderStore.findNamed(trx, at, folderId, name, id)) throw nameTaken(name)
      // The same text again is no work, unless it could not be read before.
      const isNewText = text !== undefined && (text.hash !== now.hash || now.status === 'failed')
      const words = isNewText
        ? { hash: text.hash, size: text.size, ...stateOf(analysis, { ...text, mediaType }) }
        : {}
      const { row, isChanged } = await documents.update(trx, now, { name, folderId, title, path, ...words })
      if (!isChanged) return row
      if (isNewText) await documentStore.insertTexts(trx, at, [text])
      await documentStore.insertRevisions(trx, by.owner, [row])
      if (isNewText) await indexing.index(trx, at, [{ row, text: text.text, analysis }])
      else await linking.rename(trx, at, row)
      await facts.record(trx, 'knowledge.document_updated', by, { subject: id, owner: row.owner, data: row })
      return row
    })
    if (content !== undefined) await indexing.searchable(updated)
    return content === undefined ? withText(updated) : { ...updated, content }
  }

  async function remove(by: Principal, spaceId: string, id: string, version?: number) {
    const { project, owner } = await find(by, spaceId, id, 'write')
    return transaction(async (trx) => {
      await locked(trx, { project, spaceId })
      await documents.lock(trx, { project, id }, version)
      await removals.removeDocuments(trx, { project, spaceId }, [id])
      const data = { id, spaceId }
      await facts.record(trx, 'knowledge.document_deleted', by, { subject: id, owner, data })
      return { id, deleted: true as const }
    })
  }

  return { create, list, read, update, remove }
}

const NO_TEXT = {
  code: 'no_text',
  message: 'No text was found. If the document is a scan, recognize its text (OCR), and import it again'
}

/**
 * The state of a document with that text. A long text, which has no analysis yet, is read by a job. A file that was converted, and in
 * which no text was found, is failed; a note may be empty.
 */
export function stateOf(
  analysis: Analysis | undefined,
  { text, mediaType }: { text: string; mediaType: MediaType }
): Pick<StoredDocument, 'status' | 'progress' | 'error' | 'tags'> {
  const isNote = mediaType === 'text/markdown' || mediaType === 'text/plain'
  if (!isNote && text.trim() === '') return { status: 'failed', progress: 0, error: NO_TEXT, tags: [] }
  return analysis
    ? { status: 'ready', progress: 100, error: null, tags: analysis.tags }
    : { status: 'processing', progress: 0, error: null, tags: [] }
}
