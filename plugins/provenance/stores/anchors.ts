import type { Kernel, Owned, Trx } from 'agent-platform'
import type { Anchor } from '../anchors/schemas.ts'

export type AnchorStore = ReturnType<typeof createAnchorStore>

export type AnchorRow = Anchor & Owned
type Of = Pick<AnchorRow, 'project' | 'traceId' | 'root'>

/** Of one tree, so that a proof stays short. */
const MOST = 1_024

export function createAnchorStore({ knex }: Pick<Kernel, 'knex'>) {
  const rows = (on?: Trx) => (on ?? knex)('provenance.anchor')

  return {
    find: ({ project, traceId, root }: Of): Promise<AnchorRow | undefined> =>
      rows().where({ project, traceId, root }).first(),

    /** One that is there already stays as it is. */
    async insert(trx: Trx, row: Of & Pick<AnchorRow, 'id' | 'owner'>): Promise<void> {
      await rows(trx)
        .insert({ ...row, status: 'pending' })
        .onConflict(['project', 'traceId', 'root'])
        .ignore()
    },

    /** Those that are in no tree yet, for one instance at a time. */
    lock: (trx: Trx): Promise<AnchorRow[]> =>
      rows(trx)
        .where({ status: 'pending' })
        .whereNull('batch')
        .orderBy('id')
        .limit(MOST)
        .forUpdate()
        .skipLocked(),

    async updateBatch(trx: Trx, { project, id }: AnchorRow, batch: Anchor['batch']): Promise<void> {
      await rows(trx)
        .where({ project, id })
        .update({ batch: JSON.stringify(batch) })
    },

    /** Roots of trees that are not known to be on the chain. */
    async listOpen(): Promise<readonly string[]> {
      const found = await rows()
        .where({ status: 'pending' })
        .whereNotNull('batch')
        .distinct(knex.raw(`batch->>'root' as root`))
      return found.map(({ root }: { root: string }) => root)
    },

    updateFailed: async (root: string, failure: string): Promise<void> => {
      await rows().whereRaw(`status = 'pending' and batch->>'root' = ?`, [root]).update({ failure })
    },

    settle: async (
      root: string,
      place: Pick<AnchorRow, 'network' | 'chainId' | 'transaction' | 'block' | 'contract'>
    ): Promise<void> => {
      await rows()
        .whereRaw(`status = 'pending' and batch->>'root' = ?`, [root])
        .update({
          status: 'confirmed',
          ...place,
          failure: null,
          confirmedAt: knex.fn.now()
        })
    }
  }
}
