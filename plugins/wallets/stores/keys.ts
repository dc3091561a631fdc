import type { Kernel, Trx } from 'agent-platform'

export type KeyStore = ReturnType<typeof createKeyStore>

/** Sealed private keys: read by `signing/` alone. */
export function createKeyStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    insert: async (trx: Trx, row: { project: string; walletId: string; sealed: string }): Promise<void> =>
      trx('wallets.key').insert(row),

    async find(on: Trx | undefined, project: string, walletId: string): Promise<string | undefined> {
      const row = await (on ?? knex)('wallets.key').where({ project, walletId }).first('sealed')
      return row?.sealed
    }
  }
}
