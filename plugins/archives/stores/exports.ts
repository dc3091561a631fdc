import type { Kernel, Owned, Trx } from 'agent-platform'
import { lockName } from 'agent-platform'
import type { StoredExport } from '../schemas/exports.ts'
import { exports_ } from '../schemas/exports.ts'

export type ExportStore = ReturnType<typeof createExportStore>

const OPEN = ['queued', 'running']

export function createExportStore({ knex }: Pick<Kernel, 'knex'>) {
  const current = (
    on: Kernel['knex'] | Trx,
    { project, id, attempt }: Pick<StoredExport, 'project' | 'id' | 'attempt'>
  ) => on(exports_.name).where({ project, id, attempt, status: 'running' })

  return {
    /** How many of an owner's are under way; nobody else begins one before the transaction ends. */
    async countOpen(trx: Trx, { project, owner }: Owned): Promise<number> {
      await lockName(trx, 'archives.open', project, owner)
      const [exports, imports] = await Promise.all(
        ['archives.export', 'archives.import'].map((table) =>
          trx(table).where({ project, owner }).whereIn('status', OPEN).count('* as count').first()
        )
      )
      return Number(exports?.count) + Number(imports?.count)
    },

    /** Begins it, once more where it was begun before; undefined where nothing is to be done any more. */
    async take(trx: Trx, project: string, id: string): Promise<StoredExport | undefined> {
      const [row] = await trx(exports_.name)
        .where({ project, id })
        .whereIn('status', OPEN)
        .update({ status: 'running', attempt: trx.raw('attempt + 1'), updatedAt: trx.fn.now() })
        .returning([...exports_.columns])
      return row
    },

    updateFile: (trx: Trx, row: StoredExport, fileId: string): Promise<number> =>
      current(trx, row).update({ fileId }),

    updateProgress: (row: StoredExport, progress: StoredExport['progress']): Promise<number> =>
      current(knex, row).update({ progress: JSON.stringify(progress), updatedAt: knex.fn.now() }),

    /** Undefined where another worker has it by now, or it was deleted. */
    async settle(
      trx: Trx,
      row: StoredExport,
      changes: Partial<StoredExport>
    ): Promise<StoredExport | undefined> {
      const json = Object.fromEntries(
        Object.entries(changes).map(([name, value]) => [
          name,
          typeof value === 'object' && value !== null ? JSON.stringify(value) : value
        ])
      )
      const [settled] = await current(trx, row)
        .update({ ...json, endedAt: trx.fn.now(), updatedAt: trx.fn.now() })
        .returning([...exports_.columns])
      return settled
    }
  }
}
