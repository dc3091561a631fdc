import type { Kernel } from 'agent-platform'
import type { Address } from 'viem'
import type { Chain, Receipt } from '../networks/chain.ts'
import type { Network } from '../networks/network.ts'
import type { TransferRow } from '../rows.ts'
import type { TransferStore } from '../stores/transfers.ts'
import { shownTransfer } from './shown-transfer.ts'

export type Ending = ReturnType<typeof createEnding>

interface Deps extends Pick<Kernel, 'transaction' | 'facts' | 'principals'> {
  transferStore: TransferStore
}

type How = 'confirmed' | 'failed' | 'replaced'

/** How payments end, each once, with the fact of it. */
export function createEnding({ transaction, facts, principals, transferStore }: Deps) {
  async function end(
    network: Network,
    row: TransferRow,
    status: How,
    { hash, failure }: { hash: TransferRow['hash']; failure: string | null }
  ): Promise<void> {
    const by = await principals.of(row.project, row.owner)
    await transaction(async (trx) => {
      const ended = await transferStore.settle(trx, row, { status, hash, failure })
      if (!ended || !by) return
      const fact = { subject: row.id, owner: row.owner, data: shownTransfer(ended, network) }
      if (status === 'confirmed') await facts.record(trx, 'wallets.transfer_confirmed', by, fact)
      else if (status === 'failed') await facts.record(trx, 'wallets.transfer_failed', by, fact)
      else await facts.record(trx, 'wallets.transfer_replaced', by, fact)
    })
  }

  return {
    mined: (
      network: Network,
      row: TransferRow,
      { transactionHash: hash, succeeded }: Receipt
    ): Promise<void> =>
      succeeded
        ? end(network, row, 'confirmed', { hash, failure: null })
        : end(network, row, 'failed', { hash, failure: 'The contract refused it' }),

    /**
     * Of x402: whether the chain says by now what became of it, in a block that stays. What the server said about its transaction
     * counts only where that holds the payment.
     */
    async authorized(chain: Chain, row: TransferRow, head: number, from: Address): Promise<boolean> {
      const { network } = chain
      const block = Math.max(0, head - network.confirmations + 1)
      if (row.authorization && (await chain.isUsed(from, row.authorization, block))) {
        const paid = { from, to: row.to, units: row.units }
        const hash = row.hash && (await chain.hasPaid(row.hash, paid)) ? row.hash : null
        await end(network, row, 'confirmed', { hash, failure: null })
        return true
      }
      const ends = row.validBefore === null ? 0 : new Date(row.validBefore).getTime() / 1_000
      if ((await chain.time(block)) < ends) return false
      await end(network, row, 'failed', { hash: null, failure: 'It was not taken while it was good' })
      return true
    },

    replaced: (network: Network, row: TransferRow): Promise<void> =>
      end(network, row, 'replaced', {
        hash: row.hash,
        failure: 'Another transaction of the wallet has taken its place'
      })
  }
}
