import type { Static } from 'typebox'
import { Type } from 'typebox'

export const CreditSettings = Type.Object({
  projects: Type.String({
    env: 'CREDITS_PROJECTS',
    default: '',
    maxLength: 10_000,
    description:
      'Projects in which runs cost credits, with commas between them; `*` for all. In others they cost nothing'
  }),
  unpriced: Type.Enum(['free', 'refuse'], {
    env: 'CREDITS_UNPRICED',
    default: 'free',
    description: 'What becomes of a run whose model has no price'
  }),
  replyTokens: Type.Integer({
    env: 'CREDITS_REPLY_TOKENS',
    minimum: 1,
    maximum: 1_000_000,
    default: 4_096,
    description: 'Output tokens that are reserved for a call of a model, where its agent names no fewer'
  }),
  giftMost: Type.Integer({
    env: 'CREDITS_GIFT_MOST',
    minimum: 0,
    maximum: 1_000_000,
    default: 100,
    description: 'Credits that a person gives to others within a day'
  })
})
export type CreditSettings = Static<typeof CreditSettings>
