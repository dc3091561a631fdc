import type { Kernel, Trx } from 'agent-platform'
import type { PutObject, StoredObject } from './contract.ts'

export type ObjectStore = ReturnType<typeof createObjectStore>

const held = (trx: Trx) => trx('storage.reference').whereRaw('reference.sha256 = object.sha256')

/** What lies in the storage, and what holds it. Whatever keeps an object touches it, so that a sweep looks again. */
export function createObjectStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    async find(sha256: string): Promise<StoredObject | undefined> {
      const row = await knex('storage.object').where({ sha256 }).first('sha256', 'size')
      return row && { sha256: row.sha256, size: Number(row.size) }
    },

    /** From now on no sweep takes it before the grace period is over. Waits for one that is just at it. */
    async remember({ sha256, size }: StoredObject): Promise<PutObject> {
      const [{ putAt }] = await knex('storage.object')
        .insert({ sha256, size, touchedAt: knex.raw('clock_timestamp()') })
        .onConflict('sha256')
        .merge(['touchedAt'])
        .returning(knex.raw('"touchedAt"::text as "putAt"'))
      return { sha256, size, putAt }
    },

    /** False where something holds it, or touched it since. Until the end of the transaction a put of it waits. */
    async remove(trx: Trx, { sha256, putAt }: PutObject): Promise<boolean> {
      const removed = await trx('storage.object')
        .where({ sha256 })
        .whereRaw('"touchedAt"::text = ?', [putAt])
        .whereNotExists(held(trx))
        .delete()
      return removed > 0
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
     *  a put of one of them waits. */
    async removeUnreferenced(trx: Trx, graceSeconds: number, limit: number): Promise<readonly string[]> {
      const taken = await trx('storage.object as object')
        .whereRaw(`object."touchedAt" <= now() - make_interval(secs => ?)`, [graceSeconds])
        .whereNotExists(held(trx))
        .orderBy('object.touchedAt')
        .limit(limit)
        .forUpdate('object')
        .skipLocked()
        .pluck('object.sha256')
      if (taken.length === 0) return []
      // What was linked between the look and the lock is seen by a statement of its own.
      return trx('storage.object')
        .whereIn('sha256', taken)
        .whereNotExists(held(trx))
        .delete()
        .returning('sha256')
        .then((rows) => rows.map(({ sha256 }) => sha256))
    }
  }
}
