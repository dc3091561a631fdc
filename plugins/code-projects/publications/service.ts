import type { Kernel, Paging, Principal } from 'agent-platform'
import { notFound, owned, tooLarge } from 'agent-platform'
import type { Objects } from '../../storage/contract.ts'
import type { Addresses } from '../previews/addresses.ts'
import type { Quota } from '../projects/quota.ts'
import type { CodeProject, CodeProjectRow } from '../projects/schemas.ts'
import { codeProjects } from '../projects/schemas.ts'
import type { ProjectService } from '../projects/service.ts'
import type { CodeProjectSettings } from '../settings.ts'
import type { Asset, Publication, PublicationRow } from './schemas.ts'
import { publications } from './schemas.ts'
import type { PublicationStore } from './store.ts'

export type PublicationService = ReturnType<typeof createPublicationService>

/** A file of what is published, whose bytes are asked for when it is its turn. */
export interface Output {
  readonly path: string
  readonly size: number
  /** Where it is known before. */
  readonly sha256?: string
  content(): AsyncIterable<Buffer>
}

/** Files that are stored at a time. */
const AT_ONCE = 4

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  settings: CodeProjectSettings
  storage: Objects
  addresses: Addresses
  projectService: ProjectService
  publicationStore: PublicationStore
  quota: Quota
}

/** What previews show: files that never change, one publication after the other. */
export function createPublicationService(deps: Deps) {
  const { transaction, facts, settings, storage, addresses, projectService, publicationStore, quota } = deps

  const shown = (row: PublicationRow, of: CodeProjectRow): Publication => {
    const { project: _, ...rest } = row
    const isCurrent = of.publicationId === row.id
    return { ...rest, url: addresses.of(`${of.slug}~${row.number}`), isCurrent }
  }

  /** Stores the files, so that they may be published; 413 for too much. */
  async function store(
    row: CodeProjectRow,
    outputs: readonly Output[],
    signal?: AbortSignal
  ): Promise<Asset[]> {
    const bytes = outputs.reduce((sum, { size }) => sum + size, 0)
    if (outputs.length > settings.publicationFiles)
      throw tooLarge(`At most ${settings.publicationFiles} files are published`, { code: 'too_many_files' })
    if (bytes > settings.publicationBytes)
      throw tooLarge(`At most ${settings.publicationBytes} bytes are published`, { code: 'too_many_bytes' })
    const held = await publicationStore.listHeld(row)
    const assets: Asset[] = []
    const waiting = outputs[Symbol.iterator]()
    const take = async () => {
      for (const output of waiting) {
        signal?.throwIfAborted()
        const { path, sha256, size } = output
        if (sha256 !== undefined && held.has(sha256)) {
          assets.push([path, sha256, size])
          continue
        }
        // What is there now may be larger than what was listed.
        const put = await storage.put(output.content(), { maxBytes: size, ...(signal && { signal }) })
        assets.push([path, put.sha256, put.size])
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, take))
    return assets.sort(([a], [b]) => (a < b ? -1 : 1))
  }

  /** The preview shows them from now on; `also` is a part of the same transaction. */
  async function publish(
    by: Principal,
    { project, id: projectId, owner, agentId, slug }: CodeProjectRow,
    { assets, version }: { assets: readonly Asset[]; version: number },
    also?: (trx: Parameters<PublicationStore['insert']>[0], made: PublicationRow) => Promise<void>
  ): Promise<Publication> {
    const bytes = assets.reduce((sum, [, , size]) => sum + size, 0)
    const made = await transaction(async (trx) => {
      const { singlePage } = await codeProjects.lock(trx, { project, id: projectId })
      const about = {
        project,
        owner,
        agentId,
        projectId,
        version,
        singlePage,
        fileCount: assets.length,
        bytes
      }
      const row = await publicationStore.insert(trx, about, assets, settings.publicationsKept)
      await quota.check(trx, publications.name, row)
      const publication = shown(
        row,
        await publicationStore.updateShown(trx, { project, id: projectId }, row.id)
      )
      await also?.(trx, row)
      await facts.record(trx, 'code-projects.published', by, { subject: projectId, owner, data: publication })
      return publication
    })
    addresses.changed(slug)
    return made
  }

  async function list(by: Principal, agentId: string, projectId: string, page: Paging) {
    const of = await projectService.find(by, agentId, projectId, 'read')
    const { data, nextCursor } = await publicationStore.list(by, of, page)
    return { data: data.map((row) => shown(row, of)), nextCursor }
  }

  async function restore(
    by: Principal,
    agentId: string,
    projectId: string,
    id: string
  ): Promise<Publication> {
    const of = await projectService.find(by, agentId, projectId, 'change')
    const row = owned(by, await publicationStore.find(id), 'Publication', 'change')
    if (row.projectId !== projectId) throw notFound('Publication')
    const restored = await transaction(async (trx) => {
      const before = await codeProjects.lock(trx, of)
      // It may have gone since.
      if (!(await publicationStore.find(id))) throw notFound('Publication')
      const publication = shown(row, await publicationStore.updateShown(trx, of, id))
      if (before.publicationId !== id)
        await facts.record(trx, 'code-projects.restored', by, {
          subject: of.id,
          owner: of.owner,
          data: publication
        })
      return publication
    })
    addresses.changed(of.slug)
    return restored
  }

  async function unpublish(by: Principal, agentId: string, projectId: string): Promise<CodeProject> {
    const of = await projectService.find(by, agentId, projectId, 'change')
    const row = await transaction(async (trx) => {
      const before = await codeProjects.lock(trx, of)
      const after = await publicationStore.updateShown(trx, of, null)
      const data = { id: of.id, agentId, slug: of.slug }
      if (before.publicationId !== null)
        await facts.record(trx, 'code-projects.unpublished', by, { subject: of.id, owner: of.owner, data })
      return after
    })
    addresses.changed(of.slug)
    return projectService.shown(row)
  }

  return { store, publish, list, restore, unpublish }
}
