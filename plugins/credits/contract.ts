import type { Principal, Trx } from 'agent-platform'
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
}

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
