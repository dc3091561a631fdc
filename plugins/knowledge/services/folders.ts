import type { Kernel, PageOf, Principal, Trx } from 'agent-platform'
import { conflict, insufficientStorage, invalid, notFound } from 'agent-platform'
import type { Folder, FolderChanges, FolderQuery, NewFolder } from '../schemas/folders.ts'
import { folders } from '../schemas/folders.ts'
import type { KnowledgeSettings } from '../settings.ts'
import type { SpaceAccess } from '../stores/access.ts'
import type { DocumentStore, Place } from '../stores/documents.ts'
import type { FolderRow, FolderStore } from '../stores/folders.ts'
import type { SpaceStore } from '../stores/spaces.ts'
import type { Linking } from './linking.ts'
import type { Removals } from './removals.ts'

export type FolderService = ReturnType<typeof createFolderService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts'> {
  settings: KnowledgeSettings
  spaceAccess: SpaceAccess
  spaceStore: SpaceStore
  folderStore: FolderStore
  documentStore: DocumentStore
  removals: Removals
  linking: Linking
}

/** Levels of folders. */
export const MAX_DEPTH = 16
/** Documents that are removed by one statement. */
const BATCH = 1_000

export const nameTaken = (name: string) =>
  conflict(`Something beside it is called ${name} already`, { param: '/name', code: 'name_taken' })

export function createFolderService(deps: Deps) {
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
    linking
  } = deps

  /** The tree of a space changes in one transaction at a time: two moves never make a circle. */
  async function locked(trx: Trx, { project, spaceId }: Place) {
    if (!(await spaceStore.lock(trx, { project, id: spaceId }))) throw notFound('Knowledge space')
  }

  async function parentPath(trx: Trx, at: Place, parentId: string | null): Promise<string> {
    if (parentId === null) return ''
    const parent = await folderStore.find(trx, at, parentId)
    if (!parent) throw notFound('Folder', { param: '/parentId' })
    return `${parent.path}/`
  }

  async function create(
    by: Principal,
    spaceId: string,
    { name, parentId = null }: NewFolder
  ): Promise<Folder> {
    const { project, owner } = await spaceAccess.find(by, spaceId, 'write')
    const at = { project, spaceId }
    return transaction(async (trx) => {
      await locked(trx, at)
      if ((await folderStore.count(trx, at)) >= settings.maxFolders)
        throw insufficientStorage(`A space holds ${settings.maxFolders} folders`)
      const path = `${await parentPath(trx, at, parentId)}${name}`
      if (path.split('/').length > MAX_DEPTH)
        throw invalid('/parentId', `Folders lie at most ${MAX_DEPTH} levels deep`, 'too_deep')
      if (await folderStore.findNamed(trx, at, parentId, name)) throw nameTaken(name)
      const data = await folders.insert(trx, { project, owner, spaceId, parentId, name, path })
      await facts.record(trx, 'knowledge.folder_created', by, { subject: data.id, owner, data })
      return data
    })
  }

  async function list(by: Principal, spaceId: string, query: FolderQuery): Promise<PageOf<Folder>> {
    const { project } = await spaceAccess.find(by, spaceId, 'read')
    return folderStore.list({ project, spaceId }, query)
  }

  /** A folder of that space, which the principal may change; a child under another parent is 404. */
  async function find(by: Principal, spaceId: string, id: string): Promise<FolderRow> {
    await spaceAccess.find(by, spaceId, 'write')
    const found = await folders.find(knex, id)
    if (found?.spaceId !== spaceId) throw notFound(folders.what)
    return found
  }

  async function update(
    by: Principal,
    spaceId: string,
    id: string,
    changes: FolderChanges,
    version?: number
  ) {
    const { project } = await find(by, spaceId, id)
    const at = { project, spaceId }
    return transaction(async (trx) => {
      await locked(trx, at)
      const now = await folders.lock(trx, { project, id }, version)
      const { name = now.name, parentId = now.parentId } = changes
      const above = await parentPath(trx, at, parentId)
      if (`${above}/`.startsWith(`${now.path}/`))
        throw invalid('/parentId', 'A folder does not lie in itself or below', 'cyclic')
      const path = `${above}${name}`
      const { depth } = await folderStore.findBelow(trx, { ...at, path: now.path })
      if (depth - now.path.split('/').length + path.split('/').length > MAX_DEPTH)
        throw invalid('/parentId', `Folders lie at most ${MAX_DEPTH} levels deep`, 'too_deep')
      if (await folderStore.findNamed(trx, at, parentId, name, id)) throw nameTaken(name)
      const { row, isChanged } = await folders.update(trx, now, { name, parentId, path }, version)
      if (!isChanged) return row
      await folderStore.updatePaths(trx, at, now.path, path)
      await linking.relink(trx, at)
      await facts.record(trx, 'knowledge.folder_updated', by, { subject: id, owner: row.owner, data: row })
      return row
    })
  }

  async function remove(by: Principal, spaceId: string, id: string, version?: number) {
    const { project, owner } = await find(by, spaceId, id)
    const at = { project, spaceId }
    return transaction(async (trx) => {
      await locked(trx, at)
      const { path } = await folders.lock(trx, { project, id }, version)
      const { ids } = await folderStore.findBelow(trx, { ...at, path })
      const gone = (await documentStore.listIn(trx, at, ids)).map((row) => row.id)
      for (let from = 0; from < gone.length; from += BATCH)
        await removals.removeDocuments(trx, at, gone.slice(from, from + BATCH))
      await folderStore.removeAll(trx, at, ids)
      const data = { id, spaceId, folders: ids.length, documents: gone.length }
      await facts.record(trx, 'knowledge.folder_deleted', by, { subject: id, owner, data })
      return { id, deleted: true as const }
    })
  }

  return { create, list, update, remove }
}
