import { definePack } from 'agent-platform'
import type {} from '../tools/contract.ts'
import { createCharges } from './charging/charges.ts'
import { createSettlements } from './charging/settlements.ts'
import { createNetworks } from './networks/networks.ts'
import { purchaseRoutes } from './routes/purchases.ts'
import { transferRoutes } from './routes/transfers.ts'
import { walletRoutes } from './routes/wallets.ts'
import { createAnchors } from './services/anchors.ts'
import { createConsent } from './services/consent.ts'
import { createDelivery } from './services/delivery.ts'
import { createDrafts } from './services/drafts.ts'
import { createEnding } from './services/ending.ts'
import { createOwnTransactions } from './services/own-transactions.ts'
import { createPurchaseService } from './services/purchases.ts'
import { createTransferService } from './services/transfers.ts'
import { createWalletService } from './services/wallets.ts'
import { createWatching } from './services/watching.ts'
import { WalletSettings } from './settings.ts'
import { createKeys } from './signing/keys.ts'
import { createSigning } from './signing/signing.ts'
import { createChargeStore } from './stores/charges.ts'
import { createKeyStore } from './stores/keys.ts'
import { createPurchaseStore } from './stores/purchases.ts'
import { createTransferStore } from './stores/transfers.ts'
import { createWalletStore } from './stores/wallets.ts'
import { createWalletBalance } from './tools/wallet-balance.ts'
import { createWalletTransfer } from './tools/wallet-transfer.ts'
import { createX402Fetch } from './tools/x402-fetch.ts'

/** Wallets: agents pay, within limits that they cannot talk their way around. */
export default definePack({
  name: 'wallets',
  area: 'Money',
  summary: 'agent wallets for stablecoins and native coins on EVM chains, within spending limits',
  requires: ['agents', 'jobs', 'outgoing'],
  settings: WalletSettings,
  services: {
    networks: createNetworks,
    keyStore: createKeyStore,
    walletStore: createWalletStore,
    transferStore: createTransferStore,
    purchaseStore: createPurchaseStore,
    keys: createKeys,
    signing: createSigning,
    consent: createConsent,
    drafts: createDrafts,
    ending: createEnding,
    watching: createWatching,
    walletService: createWalletService,
    transferService: createTransferService,
    delivery: createDelivery,
    purchaseService: createPurchaseService,
    ownTransactions: createOwnTransactions,
    anchors: createAnchors,
    chargeStore: createChargeStore,
    settlements: createSettlements,
    charges: createCharges,
    walletBalance: createWalletBalance,
    walletTransfer: createWalletTransfer,
    x402Fetch: createX402Fetch
  },
  resume: ({ jobs }) => jobs.send('wallets.watch', {}, { key: 'begun' }),
  exports: ({ anchors, charges }) => ({ ...anchors, ...charges }),
  routes(app, deps) {
    walletRoutes(app, deps)
    transferRoutes(app, deps)
    purchaseRoutes(app, deps)
  },
  contributes: {
    'tools.static': [
      { key: 'wallet_balance', make: ({ walletBalance }) => walletBalance },
      { key: 'wallet_transfer', make: ({ walletTransfer }) => walletTransfer },
      { key: 'x402_fetch', make: ({ x402Fetch }) => x402Fetch }
    ],
    'jobs.worker': [
      { key: 'wallets.watch', make: ({ watching }) => ({ work: watching.work, cron: '* * * * *' }) }
    ]
  }
})
