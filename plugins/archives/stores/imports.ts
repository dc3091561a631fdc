import type { Kernel, Trx } from 'agent-platform'
import type { StoredImport } from '../schemas/imports.ts'
import { imports } from '../schemas/imports.ts'

export type ImportStore = ReturnType<typeof createImportStore>

export interface Reserved {
  readonly pack: string
  readonly madeId: string
}

const RESERVED = 'archives.reserved'

export function createImportStore({ knex }: Pick<Kernel, 'knex'>) {
  const current = (
    on: Kernel['knex'] | Trx,
    { project, id, attempt }: Pick<StoredImport, 'project' | 'id' | 'attempt'>
  ) => on(imports.name).where({ project, id, attempt, status: 'running' })
  const reserved = (on: Kernel['knex'] | Trx, { project, id }: Pick<StoredImport, 'project' | 'id'>) =>
    on(RESERVED).where({ project, importId: id })

  return {
    /** Begins it, once more where it was begun before; undefined where nothing is to be done any more. */
    async take(project: string, id: string): Promise<StoredImport | undefined> {
      const [row] = await knex(imports.name)
        .where({ project, id })
        .whereIn('status', ['queued', 'running'])
        .update({ status: 'running', attempt: knex.raw('attempt + 1'), updatedAt: knex.fn.now() })
        .returning([...imports.columns])
      return row
    },

    /** False where another worker has it by now. */
    updateProgress: async (row: StoredImport, progress: StoredImport['progress']): Promise<boolean> =>
      (await current(knex, row).update({ progress: JSON.stringify(progress), updatedAt: knex.fn.now() })) > 0,

    /** False where another worker has the import by now, which takes back what was reserved before. */
    async insertReserved(trx: Trx, row: StoredImport, ordinal: number, made: Reserved): Promise<boolean> {
      if (!(await current(trx, row).forShare().first('id'))) return false
      await trx(RESERVED).insert({ project: row.project, importId: row.id, ordinal, ...made })
      return true
    },

    /** The last one first. */
    listReserved: (row: StoredImport): Promise<Reserved[]> =>
      reserved(knex, row).orderBy('ordinal', 'desc').select('pack', 'madeId'),

    removeReserved: (on: Trx | undefined, row: StoredImport): Promise<number> =>
      reserved(on ?? knex, row).delete(),

    /** Undefined where another worker has it by now. */
    async settle(
      trx: Trx,
      row: StoredImport,
      { report, error, progress, ...changes }: Partial<StoredImport>
    ): Promise<StoredImport | undefined> {
      const [settled] = await current(trx, row)
        .update({
          ...changes,
          ...(report && { report: JSON.stringify(report) }),
          ...(error && { error: JSON.stringify(error) }),
          ...(progress && { progress: JSON.stringify(progress) }),
          endedAt: trx.fn.now(),
          updatedAt: trx.fn.now()
        })
        .returning([...imports.columns])
      return settled
    }
  }
}
