import type { Kernel, Trx } from 'agent-platform'
import { lockName } from 'agent-platform'
import type { JWK } from 'jose'
import { HOME } from '../home.ts'

export interface SigningKeyRow {
  readonly id: string
  readonly publicKey: JWK
  readonly sealed: string
  readonly usableAt: string
}
export type SigningKeyStore = ReturnType<typeof createSigningKeyStore>

/** Keys that sign tokens, the latest first. */
export function createSigningKeyStore({ knex }: Pick<Kernel, 'knex'>) {
  const keys = (on: Kernel['knex'] | Trx = knex) => on('identity.signing_key').where({ project: HOME })
  return {
    list: (on?: Trx): Promise<SigningKeyRow[]> => keys(on).orderBy('usableAt', 'desc'),
    /** One instance at a time may add one. */
    lock: (trx: Trx): Promise<void> => lockName(trx, 'identity.signing_key'),
    insert: (trx: Trx, row: SigningKeyRow): Promise<unknown> =>
      trx('identity.signing_key').insert({
        ...row,
        publicKey: JSON.stringify(row.publicKey),
        project: HOME,
        owner: ''
      }),
    remove: (trx: Trx, ids: readonly string[]): Promise<number> =>
      keys(trx)
        .whereIn('id', [...ids])
        .delete()
  }
}
