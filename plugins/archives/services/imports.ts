import type { Kernel, Paging, Principal } from 'agent-platform'
import { notFound } from 'agent-platform'
import type { Jobs } from '../../jobs/contract.ts'
import type { Import, NewImport, StoredImport } from '../schemas/imports.ts'
import { imports } from '../schemas/imports.ts'
import type { Report } from '../schemas/report.ts'
import type { ArchiveSettings } from '../settings.ts'
import type { ExportStore } from '../stores/exports.ts'
import type { ImportStore } from '../stores/imports.ts'
import { tooMany } from './exports.ts'
import type { Opening } from './opening.ts'
import { areasOf } from './parts.ts'
import type { Reading } from './reading.ts'
import { isFinal, MOST_ATTEMPTS, troubleOf } from './troubles.ts'

export type ImportService = ReturnType<typeof createImportService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts' | 'principals' | 'log'> {
  settings: ArchiveSettings
  jobs: Jobs
  exportStore: ExportStore
  importStore: ImportStore
  opening: Opening
  reading: Reading
}

export const IMPORT_QUEUE = 'archives.import'
const BEFORE = { part: null, done: 0, parts: 0, records: 0 }

export function createImportService(deps: Deps) {
  const { knex, transaction, facts, principals, log, settings, jobs, importStore, opening, reading } = deps

  /** Archives that are looked at here for a request, by owner: each is a copy on the disk meanwhile. */
  const looked = new Map<string, number>()
  async function looking<T>({ project, owner }: Principal, look: () => Promise<T>): Promise<T> {
    const key = `${project}/${owner}`
    const count = looked.get(key) ?? 0
    if (count >= settings.mostRunning) throw tooMany(settings.mostRunning)
    looked.set(key, count + 1)
    try {
      return await look()
    } finally {
      const left = (looked.get(key) ?? 1) - 1
      if (left > 0) looked.set(key, left)
      else looked.delete(key)
    }
  }

  /** What would be made of it, and what is lacking. */
  const examine = (by: Principal, input: NewImport): Promise<Report> =>
    looking(by, async () => {
      const opened = await opening.open(by, input)
      try {
        return await reading.report(by, opened, areasOf(by, 'write'))
      } finally {
        await opened.close()
      }
    })

  /** What can be told of the archive at once is; all else while it is imported. */
  async function create(by: Principal, input: NewImport): Promise<Import> {
    const opened = await looking(by, () => opening.open(by, input))
    await opened.close()
    opening.checkTrust(opened, input)
    const { fileId, ...order } = input
    const { project, owner } = by
    const none = { agentId: null, report: null, error: null, endedAt: null }
    return transaction(async (trx) => {
      if ((await deps.exportStore.countOpen(trx, by)) >= settings.mostRunning)
        throw tooMany(settings.mostRunning)
      const row = { project, owner, fileId, order, areas: areasOf(by, 'write'), progress: BEFORE }
      const made = await imports.insert(trx, { ...row, ...none, status: 'queued', attempt: 0 })
      await jobs.send(IMPORT_QUEUE, { project, id: made.id }, { trx })
      await told(trx, by, 'archives.import_requested', made)
      return shown(made)
    })
  }

  async function told(
    trx: Parameters<Parameters<typeof transaction>[0]>[0],
    by: Principal,
    fact: 'archives.import_requested' | 'archives.imported' | 'archives.import_failed',
    row: StoredImport
  ) {
    await facts.record(trx, fact, by, { subject: row.id, owner: row.owner, data: shown(row) })
  }

  async function list(by: Principal, page: Paging) {
    const { data, nextCursor } = await imports.list(knex, by, page)
    return { data: data.map(shown), nextCursor }
  }

  const read = async (by: Principal, id: string) => shown(await imports.owned(knex, by, id, 'read'))

  /** Whole, or not at all: what an earlier beginning left is taken back first, and what fails last of all. */
  async function work(data: object, signal: AbortSignal): Promise<void> {
    const { project, id } = data as { project: string; id: string }
    const row = await importStore.take(project, id)
    if (!row) return
    const by = await principals.of(project, row.owner)
    try {
      if (!by) throw notFound('Owner of the import')
      await reading.undo(by, row)
      if (row.attempt > MOST_ATTEMPTS) throw new Error('An import ended early too often')
      await make(by, row, signal)
    } catch (error) {
      await reading.undo(by ?? standIn(row), row)
      if (!isFinal(error) && row.attempt < MOST_ATTEMPTS) throw error
      log.warn({ err: error, import: id }, 'an import failed')
      await transaction(async (trx) => {
        const failed = await importStore.settle(trx, row, { status: 'failed', error: troubleOf(error) })
        if (failed && by) await told(trx, by, 'archives.import_failed', failed)
      })
    }
  }

  async function make(by: Principal, row: StoredImport, signal: AbortSignal): Promise<void> {
    const order = { fileId: row.fileId, ...row.order }
    const opened = await opening.open(by, order, signal)
    try {
      opening.checkTrust(opened, order)
      const report = await reading.report(by, opened, row.areas, signal)
      const agentId = await reading.make(by, row, opened, signal)
      const taken = report.parts.filter(({ skipped }) => skipped === null)
      const records = taken.reduce((sum, part) => sum + part.records, 0)
      const progress = { part: null, done: taken.length, parts: taken.length, records }
      await transaction(async (trx) => {
        const settled = await importStore.settle(trx, row, { status: 'completed', agentId, report, progress })
        if (!settled) throw new Error('Another worker has the import by now')
        await importStore.removeReserved(trx, row)
        await told(trx, by, 'archives.imported', settled)
      })
    } finally {
      await opened.close()
    }
  }

  return { examine, create, list, read, work }
}

/** For what has to go, also where its owner may do nothing any more. */
const standIn = ({ project, owner }: StoredImport): Principal => ({
  id: owner,
  type: 'user',
  project,
  owner,
  scopes: new Set(),
  narrowed: false,
  credential: ''
})

const shown = ({ project: _, order: __, areas: ___, attempt: ____, ...row }: StoredImport): Import => row
