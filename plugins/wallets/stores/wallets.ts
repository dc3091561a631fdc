import type { Kernel, Trx } from 'agent-platform'
import { lockName } from 'agent-platform'
import type { Wallet } from '../schemas/wallets.ts'

export type WalletStore = ReturnType<typeof createWalletStore>

/** What of wallets is asked across rows; they themselves are a table that people edit. */
export function createWalletStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    /** Changes to which wallet of an agent is the primary one wait for each other until the transaction ends. */
    lockAgent: (trx: Trx, project: string, agentId: string): Promise<unknown> =>
      lockName(trx, 'wallets.primary', project, agentId),

    findPrimary: async (on: Trx | undefined, project: string, agentId: string): Promise<Wallet | undefined> =>
      (on ?? knex)('wallets.wallet').where({ project, agentId, primary: true }).first(),

    /** No edit of the wallet that was it: nobody asked for one. */
    updatePrimary: (trx: Trx, project: string, agentId: string): Promise<number> =>
      trx('wallets.wallet').where({ project, agentId, primary: true }).update({ primary: false }),

    updateNonce: (
      trx: Trx,
      { project, id }: { project: string; id: string },
      nextNonce: number
    ): Promise<number> => trx('wallets.wallet').where({ project, id }).update({ nextNonce }),

    async count(project: string, agentId: string): Promise<number> {
      const [row] = await knex('wallets.wallet')
        .where({ project, agentId, status: 'active' })
        .count({ count: '*' })
      return Number(row?.count ?? 0)
    }
  }
}
