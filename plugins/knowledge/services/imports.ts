import type { Kernel, Principal } from 'agent-platform'
import { notFound } from 'agent-platform'
import type { Jobs } from '../../jobs/contract.ts'
import { folders } from '../schemas/folders.ts'
import type { Import, StoredImport } from '../schemas/imports.ts'
import { imports } from '../schemas/imports.ts'
import type { SpaceAccess } from '../stores/access.ts'
import type { ImportStore } from '../stores/imports.ts'
import type { Gathered } from './file-sources.ts'
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
const LEFT_SECONDS = 60

/** Imports: files are kept with the import, and become documents batch by batch, also after a crash. */
export function createImportService(deps: Deps) {
  const { knex, transaction, facts, principals, log, jobs, spaceAccess, importStore, importBatches } = deps

  /** The path of the folder that paths begin in, with a slash behind it. */
  async function place(by: Principal, spaceId: string, folderId: string | undefined): Promise<string> {
    await spaceAccess.find(by, spaceId, 'write')
    if (folderId === undefined) return ''
    const folder = await folders.find(knex, folderId)
    if (folder?.spaceId !== spaceId) throw notFound('Folder', { param: 'folderId' })
    return `${folder.path}/`
  }

  async function begin(
    by: Principal,
    spaceId: string,
    folderId: string | undefined,
    { files, skipped, skippedFiles }: Gathered
  ): Promise<Import> {
    const { project, owner } = await spaceAccess.find(by, spaceId, 'write')
    const isFew = files.length <= FEW && files.reduce((sum, { bytes }) => sum + bytes.length, 0) <= FEW_BYTES
    const counts = {
      created: 0,
      updated: 0,
      unchanged: 0,
      failed: 0,
      skipped,
      errors: [],
      skippedFiles,
      warnings: []
    }
    const { id, type, initiator } = by
    const actor = { id, type, ...(initiator !== undefined && { initiator }) }
    const about = { project, owner, spaceId, folderId: folderId ?? null, by: by.owner, actor }
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
      const inSeconds = isFew ? LEFT_SECONDS : 0
      await jobs.send(IMPORT_QUEUE, { project, id: row.id }, { trx, inSeconds })
      return row
    })
    if (isFew)
      await goOn(by, made).catch((error) =>
        log.warn({ err: error, import: made.id }, 'an import goes on behind the request')
      )
    return shown((await imports.find(knex, made.id)) as StoredImport)
  }

  /** The grant is asked for before each batch: what was revoked meanwhile ends the import. */
  async function goOn(by: Principal, of: StoredImport, signal?: AbortSignal): Promise<void> {
    for (;;) {
      signal?.throwIfAborted()
      const files = await importStore.listFiles(of, BATCH)
      if (files.length === 0) break
      if (!(await mayWrite(by, of))) return giveUp(of)
      await importBatches.work(by, of, files, signal)
    }
    await end(by, of, 'completed')
  }

  async function end(by: Principal, of: StoredImport, status: 'completed' | 'failed'): Promise<void> {
    await transaction(async (trx) => {
      if ((await importStore.updateStatus(trx, of, status)) === 0) return
      const { project: _, ...data } = shown((await imports.find(trx, of.id)) as StoredImport) as StoredImport
      await facts.record(trx, 'knowledge.imported', by, { subject: of.spaceId, owner: of.owner, data })
    })
  }

  const mayWrite = (by: Principal, { spaceId }: StoredImport): Promise<boolean> =>
    spaceAccess.find(by, spaceId, 'write').then(
      () => true,
      (error) => {
        if (error.kind === 'forbidden' || error.kind === 'notFound') return false
        throw error
      }
    )

  async function giveUp(of: StoredImport): Promise<void> {
    log.info({ import: of.id }, 'an import ended, as who began it may not write any more')
    await transaction(async (trx) => {
      await importStore.removeFiles(trx, of)
      await importStore.updateStatus(trx, of, 'failed')
    })
  }

  /** Who began it; undefined while that one, or its owner, is disabled. */
  async function actorOf({ project, by, actor }: StoredImport): Promise<Principal | undefined> {
    const owner = await principals.of(project, by)
    if (!owner || !actor) return owner
    return (await principals.of(project, actor.id)) && { ...owner, ...actor }
  }

  /** As who began it. */
  async function work(data: object, signal: AbortSignal): Promise<void> {
    const { project, id } = data as { project: string; id: string }
    const of = (await imports.find(knex, id)) as StoredImport | undefined
    if (of?.project !== project || of.status !== 'running') return
    const by = await actorOf(of)
    return by ? goOn(by, of, signal) : giveUp(of)
  }

  async function read(by: Principal, spaceId: string, id: string): Promise<Import> {
    await spaceAccess.find(by, spaceId, 'read')
    const found = (await imports.find(knex, id)) as StoredImport | undefined
    if (found?.spaceId !== spaceId) throw notFound(imports.what)
    return shown(found)
  }

  return { place, begin, work, read }
}

const shown = ({ by: _, actor: __, ...row }: StoredImport): Import => row
