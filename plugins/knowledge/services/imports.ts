import type { Kernel, Principal } from 'agent-platform'
import { notFound } from 'agent-platform'
import type { Jobs } from '../../jobs/contract.ts'
import { folders } from '../schemas/folders.ts'
import type { Import, StoredImport } from '../schemas/imports.ts'
import { imports } from '../schemas/imports.ts'
import type { ImportFile, ImportStore } from '../stores/imports.ts'
import type { SpaceAccess } from './access.ts'
import type { ImportBatches } from './import-batches.ts'

export type ImportService = ReturnType<typeof createImportService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts' | 'principals' | 'log'> {
  jobs: Jobs
  spaceAccess: SpaceAccess
  importStore: ImportStore
  importBatches: ImportBatches
}

export const IMPORT_QUEUE = 'knowledge.import'
/** Files in one transaction. */
const BATCH = 50
/** So few are imported while the request waits. */
const FEW = 20
const FEW_BYTES = 262_144
const LEFT_MS = 60_000

/** Imports: files are kept with the import, and become documents batch by batch, also after a crash. */
export function createImportService(deps: Deps) {
  const { knex, transaction, facts, principals, log, jobs, spaceAccess, importStore, importBatches } = deps

  /** The path of the folder that paths begin in, with a slash behind it. */
  async function place(by: Principal, spaceId: string, folderId: string | undefined): Promise<string> {
    await spaceAccess.space(by, spaceId, 'write')
    if (folderId === undefined) return ''
    const folder = await folders.find(knex, folderId)
    if (folder?.spaceId !== spaceId) throw notFound('Folder', { param: 'folderId' })
    return `${folder.path}/`
  }

  async function begin(
    by: Principal,
    spaceId: string,
    folderId: string | undefined,
    { files, skipped }: { files: readonly ImportFile[]; skipped: number }
  ): Promise<Import> {
    const { project, owner } = await spaceAccess.space(by, spaceId, 'write')
    const isFew = files.length <= FEW && files.reduce((sum, { bytes }) => sum + bytes.length, 0) <= FEW_BYTES
    const counts = { created: 0, updated: 0, unchanged: 0, failed: 0, skipped, errors: [] }
    const about = { project, owner, spaceId, folderId: folderId ?? null, by: by.owner }
    const made = await transaction(async (trx) => {
      const row = (await imports.insert(trx, {
        ...about,
        ...counts,
        status: 'running',
        total: files.length,
        endedAt: null
      })) as StoredImport
      await importStore.insertFiles(trx, row, files)
      // Of few only what a crash, or a service that was away, left.
      const at = isFew ? new Date(Date.now() + LEFT_MS) : undefined
      await jobs.send(IMPORT_QUEUE, { project, id: row.id }, { trx, ...(at && { at }) })
      return row
    })
    if (isFew)
      await goOn(by, made).catch((error) =>
        log.warn({ err: error, import: made.id }, 'an import goes on behind the request')
      )
    return shown((await imports.find(knex, made.id)) as StoredImport)
  }

  async function goOn(by: Principal, of: StoredImport, signal?: AbortSignal): Promise<void> {
    for (;;) {
      signal?.throwIfAborted()
      const files = await importStore.listFiles(of, BATCH)
      if (files.length === 0) break
      await importBatches.work(by, of, files, signal)
    }
    await end(by, of, 'completed')
  }

  async function end(by: Principal, of: StoredImport, status: 'completed' | 'failed'): Promise<void> {
    await transaction(async (trx) => {
      if ((await importStore.updateStatus(trx, of, status)) === 0) return
      const { by: _, project: __, ...data } = (await imports.find(trx, of.id)) as StoredImport
      await facts.record(trx, 'knowledge.imported', by, { subject: of.spaceId, owner: of.owner, data })
    })
  }

  /** As who began it, whose grant is asked for again: what was revoked meanwhile ends the import. */
  async function work(data: object, signal: AbortSignal): Promise<void> {
    const { project, id } = data as { project: string; id: string }
    const of = (await imports.find(knex, id)) as StoredImport | undefined
    if (of?.project !== project || of.status !== 'running') return
    const by = await principals.of(project, of.by)
    const isAllowed =
      by &&
      (await spaceAccess.space(by, of.spaceId, 'write').then(
        () => true,
        () => false
      ))
    if (by && isAllowed) return goOn(by, of, signal)
    log.info({ import: id }, 'an import ended, as its owner may not write any more')
    await transaction(async (trx) => {
      await importStore.removeFiles(trx, of)
      await importStore.updateStatus(trx, of, 'failed')
    })
  }

  async function read(by: Principal, spaceId: string, id: string): Promise<Import> {
    await spaceAccess.space(by, spaceId, 'read')
    const found = (await imports.find(knex, id)) as StoredImport | undefined
    if (found?.spaceId !== spaceId) throw notFound(imports.what)
    return shown(found)
  }

  return { place, begin, work, read }
}

const shown = ({ by: _, ...row }: StoredImport): Import => row
