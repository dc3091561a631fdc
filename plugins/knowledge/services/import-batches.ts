import type { Kernel, Principal, Trx } from 'agent-platform'
import { newId, notFound } from 'agent-platform'
import type { StoredDocument } from '../schemas/documents.ts'
import { documents, MAX_TEXT } from '../schemas/documents.ts'
import { folders } from '../schemas/folders.ts'
import type { StoredImport } from '../schemas/imports.ts'
import type { KnowledgeSettings } from '../settings.ts'
import type { DocumentStore, Place } from '../stores/documents.ts'
import type { FolderRow, FolderStore } from '../stores/folders.ts'
import type { ImportFile, ImportStore } from '../stores/imports.ts'
import type { SpaceStore } from '../stores/spaces.ts'
import type { Analysis } from '../text/analysis.ts'
import { hashOf, stemOf, titleOf } from '../text/names.ts'
import { stateOf } from './documents.ts'
import type { FileTexts } from './file-texts.ts'
import { MAX_DEPTH } from './folders.ts'
import type { Indexing, Written } from './indexing.ts'
import type { Tally } from './tallies.ts'
import { refuse, settle } from './tallies.ts'

export type ImportBatches = ReturnType<typeof createImportBatches>

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  settings: KnowledgeSettings
  spaceStore: SpaceStore
  folderStore: FolderStore
  documentStore: DocumentStore
  importStore: ImportStore
  indexing: Indexing
  fileTexts: FileTexts
}
interface Draft extends ImportFile {
  readonly text: string
  readonly pages: readonly number[] | undefined
  readonly hash: string
  readonly size: number
  readonly title: string
  readonly analysis: Analysis | undefined
  readonly state: ReturnType<typeof stateOf>
}

/** Documents of some files of an import, all in one transaction with what is counted of them. */
export function createImportBatches(deps: Deps) {
  const { transaction, facts, settings, spaceStore, folderStore, documentStore, importStore, indexing } = deps

  async function work(by: Principal, of: StoredImport, files: readonly ImportFile[], signal?: AbortSignal) {
    const tally: Tally = { created: 0, updated: 0, unchanged: 0, failed: 0, errors: [], warnings: [] }
    const drafts = new Map<string, Draft>()
    for (const file of files) {
      const draft = await draftOf(of, file, tally, signal).catch(
        (error: Error & { code?: string; kind?: string }) => {
          signal?.throwIfAborted()
          if (error.kind === undefined || isPassing(error)) throw error
          refuse(tally, file.path, error.code ?? 'unreadable', error.message)
          return undefined
        }
      )
      // Of two at one path the later one counts.
      if (draft) drafts.set(draft.path.toLowerCase(), draft)
    }
    tally.unchanged += files.length - tally.failed - drafts.size
    const at = { project: of.project, spaceId: of.spaceId }
    await transaction(async (trx) => {
      if (!(await spaceStore.lock(trx, { project: of.project, id: of.spaceId })))
        throw notFound('Knowledge space')
      const written = await write(trx, by, of, [...drafts.values()], tally)
      await indexing.index(trx, at, written)
      await importStore.settleFiles(
        trx,
        of,
        files.map(({ ordinal }) => ordinal),
        tally
      )
    })
  }

  async function draftOf(
    { project, owner }: StoredImport,
    file: ImportFile,
    tally: Tally,
    signal?: AbortSignal
  ): Promise<Draft> {
    const { text, title, pages, warnings } = await deps.fileTexts.read(
      { project, owner },
      file,
      MAX_TEXT,
      signal
    )
    const analysis = await indexing.analyse(text, file.mediaType, pages)
    const name = file.path.slice(file.path.lastIndexOf('/') + 1)
    const called = titleOf(analysis?.title ?? title ?? '') || titleOf(stemOf(name)) || name
    tally.warnings = [...tally.warnings, ...warnings.map((message) => ({ path: file.path, message }))]
    const state = stateOf(analysis, { text, mediaType: file.mediaType })
    return { ...file, text, pages, ...hashOf(text), title: called, analysis, state }
  }

  async function write(trx: Trx, by: Principal, of: StoredImport, drafts: readonly Draft[], tally: Tally) {
    const at = { project: of.project, spaceId: of.spaceId }
    const tree = new Map((await folderStore.listAll(trx, at)).map((row) => [row.path.toLowerCase(), row]))
    const paths = drafts.map(({ path }) => path)
    const there = await documentStore.listAt(trx, at, paths)
    const known = new Map(there.map((row) => [row.path.toLowerCase(), row]))
    let room = settings.maxDocuments - (await documentStore.count(trx, at))
    const made: { row: Parameters<DocumentStore['insertAll']>[1][number]; draft: Draft }[] = []
    const written: Written[] = []
    for (const draft of drafts) {
      const { path, hash, size, analysis, text, fileId, state } = draft
      const before = known.get(path.toLowerCase())
      const isSame = before?.hash === hash && (before.status === 'failed') === (state.status === 'failed')
      if (isSame) settle(tally, 'unchanged', draft)
      else if (before) {
        await documentStore.insertTexts(trx, at, [draft])
        const changes = { hash, size, fileId, ...state }
        const { row } = await documents.update(trx, before, changes)
        written.push({ row, text, analysis })
        settle(tally, 'updated', draft)
      } else if (room <= 0)
        refuse(tally, path, 'space_full', `A space holds ${settings.maxDocuments} documents`)
      else if (tree.has(path.toLowerCase())) refuse(tally, path, 'name_taken', 'A folder is called so')
      else {
        const folder = await folderOf(trx, by, of, path, tree, at)
        if (folder === false) {
          refuse(
            tally,
            path,
            'bad_folder',
            `Folders lie at most ${MAX_DEPTH} levels deep, and are no documents`
          )
          continue
        }
        room--
        made.push({ row: rowOf(of, draft, folder), draft })
        settle(tally, 'created', draft)
      }
    }
    if (made.length > 0) {
      await documentStore.insertTexts(
        trx,
        at,
        made.map(({ draft }) => draft)
      )
      const rows = await documentStore.insertAll(
        trx,
        made.map(({ row }) => row)
      )
      const byId = new Map(rows.map((row) => [row.id, row]))
      for (const { row, draft } of made)
        written.push({ row: byId.get(row.id) as StoredDocument, text: draft.text, analysis: draft.analysis })
    }
    await recordAll(trx, by, written)
    return written
  }

  async function recordAll(trx: Trx, by: Principal, written: readonly Written[]): Promise<void> {
    const rows = written.map(({ row }) => row)
    if (rows.length > 0) await documentStore.insertRevisions(trx, by.owner, rows)
    for (const data of rows) {
      const fact = { subject: data.id, owner: data.owner, data }
      if (data.version === 1) await facts.record(trx, 'knowledge.document_created', by, fact)
      else await facts.record(trx, 'knowledge.document_updated', by, fact)
    }
  }

  /** The folder of a path, made with all above it where it is missing; false where it cannot be. */
  async function folderOf(
    trx: Trx,
    by: Principal,
    of: StoredImport,
    path: string,
    tree: Map<string, FolderRow>,
    at: Place
  ): Promise<FolderRow | null | false> {
    const names = path.split('/').slice(0, -1)
    if (names.length > MAX_DEPTH) return false
    let parent: FolderRow | null = null
    for (const [depth, name] of names.entries()) {
      const here = names.slice(0, depth + 1).join('/')
      const found: FolderRow | undefined = tree.get(here.toLowerCase())
      if (found) {
        parent = found
        continue
      }
      if (tree.size >= settings.maxFolders) return false
      const parentId: string | null = parent?.id ?? null
      if (await folderStore.findNamed(trx, at, parentId, name)) return false
      const full: string = parent ? `${parent.path}/${name}` : name
      const data: FolderRow = await folders.insert(trx, {
        ...at,
        owner: of.owner,
        parentId,
        name,
        path: full
      })
      await facts.record(trx, 'knowledge.folder_created', by, { subject: data.id, owner: data.owner, data })
      tree.set(here.toLowerCase(), data)
      parent = data
    }
    return parent
  }

  return { work }
}

function rowOf({ project, spaceId, owner }: StoredImport, draft: Draft, folder: FolderRow | null) {
  const { mediaType, fileId, hash, size, title, state } = draft
  const name = draft.path.slice(draft.path.lastIndexOf('/') + 1)
  const path = folder ? `${folder.path}/${name}` : name
  const place = { project, spaceId, owner, folderId: folder?.id ?? null, name, path }
  return { ...place, id: newId('document'), title, mediaType, fileId, hash, size, ...state }
}

/** What has nothing to do with the file, and is over when the batch is tried again. */
const isPassing = ({ kind, code }: { kind?: string; code?: string }): boolean =>
  kind === 'rateLimited' || (kind === 'unavailable' && code !== 'capability_missing')
