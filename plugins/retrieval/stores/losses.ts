import type { Kernel, Trx } from 'agent-platform'
import type { Kept } from './absences.ts'

export type LossStore = ReturnType<typeof createLossStore>

/** Collections of projects whose entries were removed, until all are put again. */
export function createLossStore({ knex }: Pick<Kernel, 'knex'>) {
  const rows = (trx: Trx, { project, collection }: Kept) =>
    trx('retrieval.loss').where({ project, collection })
  return {
    /** Whatever was put again before is lost again. */
    insert: async (trx: Trx, { project, collection }: Kept): Promise<void> => {
      await trx('retrieval.loss')
        .insert({ project, collection })
        .onConflict(['project', 'collection'])
        .merge({ after: '' })
    },

    list: (collections: readonly string[]): Promise<Kept[]> =>
      knex('retrieval.loss').whereIn('collection', collections).select('project', 'collection'),

    /** Behind which entry it goes on, for this transaction alone; undefined where another one is at it, or all is done. */
    async take(trx: Trx, kept: Kept): Promise<string | undefined> {
      const row = await rows(trx, kept).forUpdate().skipLocked().first('after')
      return row?.after
    },

    update: async (trx: Trx, kept: Kept, after: string): Promise<void> => {
      await rows(trx, kept).update({ after })
    },

    remove: async (trx: Trx, kept: Kept): Promise<void> => {
      await rows(trx, kept).delete()
    }
  }
}
