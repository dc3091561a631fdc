import type { Principal, Trx } from 'agent-platform'
import type { Usage } from '../runs/contract.ts'
import type { Amounts, Campaign, Cap, Gift, Posting, Price } from './schemas/facts.ts'

/** For packs that sell credits, or give them away. */
export interface Credits {
  /**
   * Adds to the account of an owner in the caller's transaction; the same `key` adds once, and says false from then on. `amount`
   * is a decimal string.
   */
  topUp(
    trx: Trx,
    by: Principal,
    order: { readonly owner: string; readonly amount: string; readonly key: string; readonly reason: string }
  ): Promise<boolean>
  /**
   * What each of these costs by the prices that were in force at its time, whether or not it is charged: decimal strings, null where
   * there is no price. Read in the transaction.
   */
  costs(trx: Trx, project: string, used: readonly Priced[]): Promise<readonly (string | null)[]>
  /**
   * Takes from that account what is there of `amount`, but nothing that is reserved, in the caller's transaction; how much that
   * was. The same `key` takes once, and says `"0"` from then on.
   */
  takeBack(
    trx: Trx,
    by: Principal,
    order: { readonly owner: string; readonly amount: string; readonly key: string; readonly reason: string }
  ): Promise<string>
}

/** A call of a model, or of a tool. */
export type Priced =
  | { readonly modelProvider: string; readonly modelId: string; readonly usage: Usage; readonly at: string }
  | { readonly toolName: string; readonly at: string }

export type { Amounts }

declare module 'agent-platform' {
  interface Services {
    credits: Credits
  }
  interface Facts {
    'credits.granted': Posting
    'credits.debited': Posting
    'credits.bought': Posting
    'credits.gifted': Gift
    'credits.claimed': Posting & { campaignId: string }
    'credits.campaign_created': Campaign
    'credits.campaign_updated': Campaign
    'credits.cap_created': Cap
    'credits.cap_updated': Cap
    'credits.cap_deleted': { id: string }
    /** 80 per cent of a cap is spent; said once in its day or month. */
    'credits.cap_approached': Amounts
    /** It is spent, or does not leave what a run may cost; said once in its day or month. */
    'credits.cap_reached': Amounts
    'credits.price_set': Price
    /** A balance is not what its entries come to. */
    'credits.imbalance_found': { accountId: string }
  }
}
