import type { StaticTool } from '../../tools/contract.ts'
import type { WalletService } from '../services/wallets.ts'

/** What there is to pay with. */
export const createWalletBalance = ({ walletService }: { walletService: WalletService }): StaticTool => ({
  description: 'Tells how much is in your wallet, and at which address on which network others pay you.',
  parameters: {
    type: 'object',
    properties: { walletId: { type: 'string', maxLength: 128, description: 'Default: your primary wallet' } },
    additionalProperties: false
  },
  idempotent: true,
  async call({ by, agentId, args }) {
    const wallet = await walletService.payer(by, agentId, args.walletId as string | undefined)
    return { output: await walletService.balance(by, wallet.id) }
  }
})
