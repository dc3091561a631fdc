import type { Kernel, Trx } from 'agent-platform'
import type { StoredObject } from './contract.ts'

export type ObjectStore = ReturnType<typeof createObjectStore>

/** What lies in the storage, and what holds it. Whatever keeps an object touches it, so that a sweep looks again. */
export function createObjectStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    async find(sha256: string): Promise<StoredObject | undefined> {
      const row = await knex('storage.object').where({ sha256 }).first('sha256', 'size')
      return row && { sha256: row.sha256, size: Number(row.size) }
    },

    /** From now on no sweep takes it before the grace period is over. Waits for one that is just at it. */
    remember: async ({ sha256, size }: StoredObject): Promise<void> => {
      await knex('storage.object')
        .insert({ sha256, size })
        .onConflict('sha256')
        .merge({ touchedAt: knex.fn.now() })
    },

    /** False where there is no such object. */
    async insertReference(trx: Trx, sha256: string, holder: string): Promise<boolean> {
      const touched = await trx('storage.object').where({ sha256 }).update({ touchedAt: trx.fn.now() })
      if (touched === 0) return false
      await trx('storage.reference').insert({ holder, sha256 }).onConflict().ignore()
      return true
    },

    async removeReferences(trx: Trx, holder: string): Promise<void> {
      await trx.raw(
        `with gone as (delete from storage.reference where holder = ? returning sha256)
         update storage.object set "touchedAt" = now() where sha256 in (select sha256 from gone)`,
        [holder]
      )
    },

    /** Deletes the rows of up to `limit` objects that nothing has held for so long; until the end of the transaction
     *  whoever puts one of them again waits. */
    async removeUnreferenced(trx: Trx, graceSeconds: number, limit: number): Promise<readonly string[]> {
      const taken = await trx('storage.object as object')
        .whereRaw(`object."touchedAt" <= now() - make_interval(secs => ?)`, [graceSeconds])
        .whereNotExists(trx('storage.reference').whereRaw('reference.sha256 = object.sha256'))
        .orderBy('object.touchedAt')
        .limit(limit)
        .forUpdate('object')
        .skipLocked()
        .pluck('object.sha256')
      if (taken.length === 0) return []
      // What was linked between the look and the lock is seen by a statement of its own.
      return trx('storage.object')
        .whereIn('sha256', taken)
        .whereNotExists(trx('storage.reference').whereRaw('reference.sha256 = object.sha256'))
        .delete()
        .returning('sha256')
        .then((rows) => rows.map(({ sha256 }) => sha256))
    }
  }
}
