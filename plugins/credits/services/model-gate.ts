import type { Principal } from 'agent-platform'
import { paymentRequired, unavailable } from 'agent-platform'
import type { ModelGate } from '../../models/contract.ts'
import { formatAmount } from '../amounts.ts'
import type { CreditSettings } from '../settings.ts'
import type { Price } from '../stores/prices.ts'
import type { Known } from './known.ts'
import { costOfMedia, priceOf, targetsOfModel, worstOf } from './pricing.ts'
import type { Projects } from './projects.ts'
import type { Reserving } from './reserving.ts'

interface Deps {
  known: Known
  settings: CreditSettings
  projects: Projects
  reserving: Reserving
}

/** Calls of a model that are no step of a run have what they may cost reserved, each for itself. */
export function createModelGate({ known, settings, projects, reserving }: Deps): ModelGate {
  async function priceFor(project: string, kind: Price['kind'], modelProvider: string, modelId: string) {
    const price = priceOf(await known.prices(project), kind, targetsOfModel(modelProvider, modelId))
    if (!price && settings.unpriced === 'refuse')
      throw unavailable(`The model ${modelProvider}/${modelId} has no price`, { code: 'price_missing' })
    return price
  }

  async function reserve(call: Asked, amount: bigint): Promise<void> {
    const { callId: id, by, agentId, sessionId = null, modelProvider, modelId } = call
    const { project, owner } = by
    if (amount === 0n) return
    if (!(await reserving.more({ by, project, owner, id, agentId, sessionId, isRun: false }, amount)))
      throw paymentRequired(
        `A call of ${modelProvider}/${modelId} may cost ${formatAmount(amount)} credits, which are not left`,
        { code: 'credits_exhausted' }
      )
  }

  return {
    async admit(call) {
      const { by, modelProvider, modelId } = call
      if (!projects.cost(by.project)) return
      const price = await priceFor(by.project, 'model', modelProvider, modelId)
      if (price) await reserve(call, worstOf(price, call, settings.replyTokens))
    },

    async admitMedia(call) {
      const { by, medium, modelProvider, modelId, most } = call
      if (!projects.cost(by.project)) return
      const price = await priceFor(by.project, medium, modelProvider, modelId)
      if (price) await reserve(call, costOfMedia(price, medium, most))
    }
  }
}

interface Asked {
  readonly callId: string
  readonly by: Principal
  readonly agentId: string | null
  readonly sessionId?: string | null
  readonly modelProvider: string
  readonly modelId: string
}
