import type { Model } from '../../models/contract.ts'
import type { NextCall } from '../gates.ts'
import { CHARACTERS_PER_TOKEN } from './context-budget.ts'

/** What gates are told of a call; `maxTokens` is the agent's, and its prompt has so many characters. */
export const callOf = (
  { modelProvider, modelId, outputTokens }: Pick<Model, 'modelProvider' | 'modelId' | 'outputTokens'>,
  maxTokens: number | null,
  characters: number
): NextCall => ({
  modelProvider,
  modelId,
  inputTokens: Math.ceil(characters / CHARACTERS_PER_TOKEN),
  outputTokens:
    maxTokens === null || outputTokens === null
      ? (maxTokens ?? outputTokens)
      : Math.min(maxTokens, outputTokens)
})
