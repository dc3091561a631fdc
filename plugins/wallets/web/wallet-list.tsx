import { PageFrame } from 'agent-platform/console'
import { NewWallet } from './new-wallet.tsx'
import { WalletTable } from './wallet-table.tsx'

/** What agents may pay with. */
export default function WalletList() {
  return (
    <PageFrame
      title="Wallets"
      description="What your agents pay with, within limits that you set."
      actions={<NewWallet />}
    >
      <WalletTable create={null} />
    </PageFrame>
  )
}
