import type { StaticTool } from '../../tools/contract.ts'
import type { NewTransfer } from '../schemas/transfers.ts'
import type { TransferService } from '../services/transfers.ts'
import type { WalletService } from '../services/wallets.ts'
import { requestOf } from './asking.ts'

interface Deps {
  walletService: WalletService
  transferService: TransferService
}

/** Pays within the wallet’s policy, which is not for a prompt to change. */
export const createWalletTransfer = ({ walletService, transferService }: Deps): StaticTool => ({
  description:
    'Pays someone from your wallet. It cannot be taken back. Limits of your owner hold, and above some of them your owner is asked first. ' +
    'Answers when the payment is sent; it takes a while until it is confirmed.',
  parameters: {
    type: 'object',
    properties: {
      to: { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$', description: 'The address that is paid' },
      amount: { type: 'string', pattern: '^\\d{1,30}(\\.\\d{1,36})?$', description: 'In coins, such as 1.5' },
      asset: { type: 'string', enum: ['stablecoin', 'native'], default: 'stablecoin' },
      walletId: { type: 'string', maxLength: 128, description: 'Default: your primary wallet' }
    },
    required: ['to', 'amount'],
    additionalProperties: false
  },
  // The same call is the same payment.
  idempotent: true,
  async call(call) {
    const { by, agentId } = call
    const { walletId, ...input } = call.args as unknown as NewTransfer & { walletId?: string }
    const wallet = await walletService.payer(by, agentId, walletId)
    const { transfer } = await transferService.create(by, wallet.id, input, requestOf(call))
    return { output: transfer }
  }
})
