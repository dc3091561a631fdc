import type { Due, Purpose, Reservation, Spent } from '../rows.ts'
import type { Price } from '../stores/prices.ts'
import { costOf, costOfMedia, priceOf, targetsOfModel, targetsOfTool } from './pricing.ts'

/** What is to be charged to what is reserved. */
export interface Bill extends Purpose {
  readonly key: string
  /** Nothing more is charged to it. */
  readonly isOver: boolean
  readonly isPosted: boolean
  cost(versions: readonly Price[], at: string): { amount: bigint; price: Price } | undefined
}

/** Of all that is due. */
export const billsOf = (reservation: Reservation): readonly Bill[] =>
  (reservation.due ?? []).flatMap(({ key, due, isPosted }) =>
    'call' in due
      ? billOfCall(key, due.call, isPosted)
      : 'asked' in due
        ? billOfAsked(key, due.asked, isPosted)
        : 'media' in due
          ? billOfMedia(key, due.media, isPosted)
          : reservation.isSettled
            ? []
            : billsOfRun(key, due.run, isPosted, reservation)
  )

/**
 * One for each model that it asked. What no process executed when it ended has no model in its fact: it is charged by the one it
 * was admitted with.
 */
function billsOfRun(
  key: string,
  { runId, sessionId, agentId, spent }: Extract<Due, { run: unknown }>['run'],
  isPosted: boolean,
  admitted: Reservation
): readonly Bill[] {
  const bills = spent.map(({ usage, ...asked }, index): Bill => {
    const { modelProvider = null, modelId = null } = asked.modelProvider === null ? admitted : asked
    return {
      // All of them are posted together.
      key: index === 0 ? key : `${key}:${modelProvider}/${modelId}`,
      isOver: index === spent.length - 1,
      ...{ isPosted, runId, sessionId, agentId, modelProvider, modelId },
      quantity: quantityOf(usage),
      cost(versions, at) {
        if (modelProvider === null || modelId === null) return undefined
        const price = priceOf(versions, 'model', targetsOfModel(modelProvider, modelId), at)
        return price && { amount: costOf(price, usage), price }
      }
    }
  })
  return bills.length > 0 ? bills : [{ ...nothing, key, isPosted }]
}

/** Charges nothing, and gives back what is reserved. */
export const nothing: Bill = { key: '', isOver: true, isPosted: false, cost: () => undefined }

function billOfCall(
  key: string,
  { runId, agentId, toolName }: Extract<Due, { call: unknown }>['call'],
  isPosted: boolean
): Bill {
  return {
    ...{ key, isPosted, runId, agentId, toolName },
    isOver: runId === null,
    quantity: { calls: 1 },
    cost(versions, at) {
      const price = priceOf(versions, 'tool', targetsOfTool(toolName), at)
      return price && { amount: price.call, price }
    }
  }
}

function billOfAsked(
  key: string,
  { usage, ...about }: Extract<Due, { asked: unknown }>['asked'],
  isPosted: boolean
): Bill {
  return {
    ...{ key, isPosted, isOver: true, ...about },
    quantity: quantityOf(usage),
    cost(versions, at) {
      const targets = targetsOfModel(about.modelProvider, about.modelId)
      const price = priceOf(versions, 'model', targets, at)
      return price && { amount: costOf(price, usage), price }
    }
  }
}

const units = { image: 'images', speech: 'characters', transcription: 'seconds' } as const

function billOfMedia(
  key: string,
  { medium, quantity, ...about }: Extract<Due, { media: unknown }>['media'],
  isPosted: boolean
): Bill {
  return {
    ...{ key, isPosted, isOver: true, runId: null, ...about },
    quantity: { [units[medium]]: quantity },
    cost(versions, at) {
      const price = priceOf(versions, medium, targetsOfModel(about.modelProvider, about.modelId), at)
      return price && { amount: costOfMedia(price, medium, quantity), price }
    }
  }
}

/** Quantities of tokens for an entry of the ledger. */
const quantityOf = ({ inputTokens, cachedTokens, cacheWriteTokens, outputTokens }: Spent['usage']) => ({
  inputTokens,
  cachedTokens,
  ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
  outputTokens
})
