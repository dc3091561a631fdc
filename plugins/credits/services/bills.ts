import type { Due, Purpose, Reservation } from '../rows.ts'
import type { Price } from '../stores/prices.ts'
import { costOf, priceOf, targetsOfModel, targetsOfTool } from './pricing.ts'

/** What is to be charged to what is reserved. */
export interface Bill extends Purpose {
  readonly key: string
  readonly isOver: boolean
  cost(versions: readonly Price[], at: string): { amount: bigint; price: Price } | undefined
}

/** Of all that is due. */
export const billsOf = ({ due }: Reservation): readonly Bill[] =>
  (due ?? []).map((one) => ('run' in one ? billOfRun(one.run) : billOfCall(one.call)))

function billOfRun(run: Extract<Due, { run: unknown }>['run']): Bill {
  const { runId, sessionId, agentId, modelProvider, modelId, usage } = run
  const { inputTokens, cachedTokens, outputTokens } = usage
  return {
    key: `run:${runId}`,
    isOver: true,
    runId,
    sessionId,
    agentId,
    modelProvider,
    modelId,
    quantity: { inputTokens, cachedTokens, outputTokens },
    cost(versions, at) {
      if (modelProvider === null || modelId === null) return undefined
      const price = priceOf(versions, 'model', targetsOfModel(modelProvider, modelId), at)
      return price && { amount: costOf(price, usage), price }
    }
  }
}

function billOfCall({ callId, runId, agentId, toolName }: Extract<Due, { call: unknown }>['call']): Bill {
  return {
    key: `call:${callId}`,
    isOver: runId === null,
    runId,
    agentId,
    toolName,
    quantity: { calls: 1 },
    cost(versions, at) {
      const price = priceOf(versions, 'tool', targetsOfTool(toolName), at)
      return price && { amount: price.call, price }
    }
  }
}
