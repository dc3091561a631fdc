import { AsyncLocalStorage } from 'node:async_hooks'
import type { Knex } from 'knex'

export type Trx = Knex.Transaction

/** What is told, within each transaction of a request, that the request was applied. */
export const applying = new AsyncLocalStorage<{ commit(trx: Trx): Promise<void> }>()

/**
 * Runs `work` in a transaction. Within a request that carries an `Idempotency-Key` the transaction also says
 * that the request was applied, so that a crash between the commit and the reply is told from one before it.
 */
export function createTransaction(knex: Knex) {
  return <T>(work: (trx: Trx) => Promise<T>): Promise<T> => {
    const attempt = applying.getStore()
    if (!attempt) return knex.transaction(work)
    return knex.transaction(async (trx) => {
      const result = await work(trx)
      await attempt.commit(trx)
      return result
    })
  }
}

/** Waits until no other transaction holds the lock of that name, `<table>/<key>`, and holds it until this one ends. */
export async function lockName(trx: Trx, table: string, ...key: readonly string[]): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`${table}/${JSON.stringify(key)}`])
}

/** Does that once the whole transaction is committed, also where `trx` is a savepoint of it; never when it is not. */
export function afterCommit(trx: Trx, work: () => void): void {
  let root = trx
  while (root.parentTransaction) root = root.parentTransaction as Trx
  root.executionPromise.then(work, () => undefined)
}
