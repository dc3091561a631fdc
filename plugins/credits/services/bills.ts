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
export const billsOf = (reservation: Reservation): readonly Bill[] =>
  (reservation.due ?? []).map((one) =>
    'run' in one ? billOfRun(one.run, reservation) : billOfCall(one.call)
  )

/** What no process executed when it ended has no model in its fact: it is charged by the one it was admitted with. */
function billOfRun(run: Extract<Due, { run: unknown }>['run'], admitted: Reservation): Bill {
  const { runId, sessionId, agentId, usage } = run
  const { modelProvider = null, modelId = null } = run.modelProvider === null ? admitted : run
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
