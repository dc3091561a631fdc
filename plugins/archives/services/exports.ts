import type { Kernel, Paging, Principal } from 'agent-platform'
import { conflict, invalid, newId, notFound } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Files } from '../../files/contract.ts'
import type { Jobs } from '../../jobs/contract.ts'
import { createArchiveWriter } from '../format/writer.ts'
import type { Export, NewExport, StoredExport } from '../schemas/exports.ts'
import { exports_ } from '../schemas/exports.ts'
import type { ArchiveSettings } from '../settings.ts'
import type { ExportStore } from '../stores/exports.ts'
import type { Parts } from './parts.ts'
import { areasOf, isAllowed } from './parts.ts'
import { isFinal, MOST_ATTEMPTS, troubleOf } from './troubles.ts'
import type { Writing } from './writing.ts'

export type ExportService = ReturnType<typeof createExportService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts' | 'principals' | 'log'> {
  settings: ArchiveSettings
  agents: Agents
  files: Files
  jobs: Jobs
  exportStore: ExportStore
  parts: Parts
  writing: Writing
}

export const EXPORT_QUEUE = 'archives.export'
const BEFORE = { part: null, done: 0, parts: 0, records: 0 }

export function createExportService(deps: Deps) {
  const { knex, transaction, facts, principals, log, settings, agents, files, jobs, exportStore } = deps

  async function create(by: Principal, agentId: string, { include = [] }: NewExport): Promise<Export> {
    const { project, owner } = await agents.owned(by, agentId, 'change')
    for (const [index, pack] of include.entries())
      if (!deps.parts.all().some(({ name }) => name === pack))
        throw invalid(`/include/${index}`, `No pack here puts something into archives that is called ${pack}`)
    const row = { project, owner, agentId, include, areas: areasOf(by, 'read'), progress: BEFORE }
    const none = { parts: [], leftOut: [], needs: [], fileId: null, size: null, sha256: null, keyId: null }
    return transaction(async (trx) => {
      if ((await exportStore.countOpen(trx, row)) >= settings.mostRunning) throw tooMany(settings.mostRunning)
      const made = await exports_.insert(trx, {
        ...row,
        ...none,
        error: null,
        endedAt: null,
        status: 'queued',
        attempt: 0
      })
      await jobs.send(EXPORT_QUEUE, { project, id: made.id }, { trx })
      await told(trx, by, 'archives.export_requested', made)
      return shown(made)
    })
  }

  async function told(
    trx: Parameters<Parameters<typeof transaction>[0]>[0],
    by: Principal,
    fact: 'archives.export_requested' | 'archives.exported' | 'archives.export_failed',
    row: StoredExport
  ) {
    await facts.record(trx, fact, by, { subject: row.id, owner: row.owner, data: shown(row) })
  }

  async function list(by: Principal, { agentId, ...page }: Paging & { agentId?: string }) {
    if (agentId !== undefined) await agents.owned(by, agentId, 'read', 'agentId')
    const { data, nextCursor } = await exports_.list(knex, by, page, { agentId })
    return { data: data.map(shown), nextCursor }
  }

  const read = async (by: Principal, id: string) => shown(await exports_.owned(knex, by, id, 'read'))

  async function remove(by: Principal, id: string) {
    const found = await exports_.owned(knex, by, id, 'change')
    await transaction(async (trx) => {
      const { fileId, project, owner } = await exports_.remove(trx, found)
      if (fileId !== null) await files.remove(trx, by, { project, owner, id: fileId })
      await facts.record(trx, 'archives.export_deleted', by, { subject: id, owner, data: { id } })
    })
    return { id, deleted: true as const }
  }

  async function work(data: object, signal: AbortSignal): Promise<void> {
    const { project, id } = data as { project: string; id: string }
    const begun = await transaction((trx) => exportStore.take(trx, project, id))
    if (!begun) return
    const by = await principals.of(project, begun.owner)
    const fileId = newId('file')
    try {
      if (!by) throw notFound('Owner of the agent')
      if (begun.attempt > MOST_ATTEMPTS) throw new Error('An export ended early too often')
      await transaction(async (trx) => {
        if (begun.fileId !== null) await files.remove(trx, by, { ...begun, id: begun.fileId })
        await exportStore.updateFile(trx, begun, fileId)
      })
      await make(by, begun, fileId, signal)
    } catch (error) {
      if (!isFinal(error) && begun.attempt < MOST_ATTEMPTS) throw error
      log.warn({ err: error, export: id }, 'an export failed')
      await giveUp(by, { ...begun, fileId }, error)
    }
  }

  async function giveUp(by: Principal | undefined, row: StoredExport, error: unknown) {
    await transaction(async (trx) => {
      if (by && row.fileId !== null) await files.remove(trx, by, { ...row, id: row.fileId })
      const failed = await exportStore.settle(trx, row, {
        status: 'failed',
        error: troubleOf(error),
        fileId: null
      })
      if (failed && by) await told(trx, by, 'archives.export_failed', failed)
    })
  }

  async function make(by: Principal, row: StoredExport, fileId: string, signal: AbortSignal): Promise<void> {
    const agent = await agents.owned(by, row.agentId, 'read')
    const all = deps.parts.all()
    const parts = all.filter(
      ({ name, pack, part }) =>
        (pack === 'agents' || isAllowed(row.areas, pack)) && (!part.optional || row.include.includes(name))
    )
    const leftOut = all.filter((it) => !parts.includes(it)).map(({ name }) => name)
    const writer = await createArchiveWriter()
    const stored = files.store(by, writer.stream, {
      id: fileId,
      name: `${agent.name.slice(0, 100)}.agent.zip`,
      maxBytes: settings.archiveBytes,
      owner: row.owner,
      origin: { type: 'internal', chain: [{ type: 'agent', id: agent.id }] }
    })
    stored.catch((error) => writer.fail(error))
    const order = {
      by,
      agent,
      parts,
      leftOut,
      include: row.include,
      signal,
      told: (at: Export['progress']) => exportStore.updateProgress(row, at)
    }
    const written = await deps.writing.write(writer, order).catch(async (error) => {
      writer.fail(error)
      // What the storage said is the reason, where it did.
      await stored
      throw error
    })
    const { size, sha256 } = await stored
    const { records, ...about } = written
    const progress = { part: null, done: parts.length, parts: parts.length, records }
    await transaction(async (trx) => {
      const changes = { ...about, status: 'completed' as const, fileId, size, sha256, leftOut, progress }
      const settled = await exportStore.settle(trx, row, changes)
      if (settled) await told(trx, by, 'archives.exported', settled)
      else await files.remove(trx, by, { ...row, id: fileId })
    })
  }

  return { create, list, read, remove, work }
}

export const tooMany = (most: number) =>
  conflict(`${most} exports and imports of the owner are under way`, { code: 'too_many_running' })

const shown = ({ project: _, areas: __, attempt: ___, ...row }: StoredExport): Export => ({
  ...row,
  size: row.size === null ? null : Number(row.size),
  fileId: row.status === 'completed' ? row.fileId : null
})
