import type { Campaign as ShownCampaign } from './campaigns.ts'
import type { Cap as ShownCap } from './caps.ts'
import type { Price as ShownPrice } from './prices.ts'

// What facts say: amounts are decimal strings.

export interface Posting {
  readonly transactionId: string
  readonly owner: string
  readonly amount: string
  readonly reason: string | null
}
export interface Gift extends Posting {
  readonly to: string
}
export type Campaign = Omit<ShownCampaign, 'isClaimed'>
export type Cap = ShownCap
export type Price = Omit<ShownPrice, 'isCurrent'>
/** How far a cap is used up in its window, the day or month. */
export interface Amounts {
  readonly id: string
  readonly agentId: string | null
  readonly sessionId: string | null
  readonly limit: string
  readonly spent: string
  readonly window: string
}
