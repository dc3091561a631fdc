import type { Model } from '../../models/contract.ts'
import type { NextCall } from '../gates.ts'

/** What gates are told of a call; `maxTokens` is the agent's. */
export const callOf = (
  { modelProvider, modelId, outputTokens }: Pick<Model, 'modelProvider' | 'modelId' | 'outputTokens'>,
  maxTokens: number | null
): NextCall => ({
  modelProvider,
  modelId,
  outputTokens:
    maxTokens === null || outputTokens === null
      ? (maxTokens ?? outputTokens)
      : Math.min(maxTokens, outputTokens)
})
