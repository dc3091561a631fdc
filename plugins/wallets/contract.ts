import type { Reply, Request } from 'agent-platform'
import type { Transfer } from './schemas/transfers.ts'
import type { Wallet } from './schemas/wallets.ts'
import type { RemoteSigner } from './signing/signer.ts'

export type { RemoteSigner, Transfer, Wallet }

/** For packs that write to a chain. */
export interface Wallets {
  /** 503 (`anchoring_not_configured`) where no wallet of the operator’s could write to a chain. */
  checkAnchor(): Promise<void>
  /**
   * Has 32 bytes written to the chain of the operator’s wallet: in a plain transaction from it to itself, or, where its network names a
   * contract of EAS, by `timestamp` of that. Once, however often it is asked, also across a crash. How it stands; asked again until it is
   * confirmed. 503 (`anchoring_not_configured`) where no wallet is named, and what a transfer is refused with.
   */
  anchor(digest: `0x${string}`): Promise<Anchored>
  /**
   * Makes a route cost something by x402, of both versions: to be spread into its options, with
   * `config: { failures: ['paymentRequired'] }`. What is paid is the stablecoin of the network of the operator’s wallet, to that wallet. A
   * payment is taken before the route’s handler is asked, and is good for one answer below 400: one that failed may be asked for again
   * with the same payment. 503 (`charging_not_configured`) where no wallet is named.
   */
  charge(price: Price): ChargedRoute
}

export interface Price {
  /** In coins, such as `0.01`. */
  readonly amount: string
  /** For those who are asked to pay. */
  readonly description?: string
}

export interface ChargedRoute {
  preHandler(request: Request, reply: Reply): Promise<void>
  onSend(request: Request, reply: Reply, payload: unknown): Promise<unknown>
}

/** A payment was taken for an answer of the platform. */
export interface SettledCharge {
  readonly id: string
  readonly owner: string
  readonly resource: string
  readonly payer: string
  readonly minorUnits: string
  readonly network: string
  readonly hash: string | null
}

export interface Anchored {
  readonly status: 'pending' | 'confirmed'
  readonly network: string
  readonly chainId: number
  /** Of the transaction, whose data are the bytes, or a call with them; of a pending one it may change. */
  readonly hash: string | null
  /** In which it stands; null while it is pending. */
  readonly block: number | null
  /** Of EAS, whose `timestamp` was called with the bytes; null for a plain transaction. */
  readonly contract: string | null
  readonly from: string
}

declare module 'agent-platform' {
  interface Services {
    wallets: Wallets
  }
  interface Points {
    'wallets.signer': RemoteSigner
  }
  interface Facts {
    'wallets.created': Wallet
    'wallets.updated': Wallet
    'wallets.deactivated': Wallet
    'wallets.charge_settled': SettledCharge
    'wallets.transfer_begun': Transfer
    'wallets.transfer_confirmed': Transfer
    'wallets.transfer_failed': Transfer
    /** Another transaction took its place, and nothing was paid. */
    'wallets.transfer_replaced': Transfer
  }
}
