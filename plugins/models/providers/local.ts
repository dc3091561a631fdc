import { LRUCache } from 'lru-cache'
import type { Model, ModelInfo, ModelProvider } from '../contract.ts'
import { createLocalModel } from '../local/model.ts'

const MAX_MODELS = 100

const info: ModelInfo = {
  modelId: 'development',
  name: 'Built-in development model',
  contextTokens: 1_000_000,
  outputTokens: null,
  inputModalities: ['text']
}

/** The model that is always there; any id stands for the same one. */
export function createLocalProvider(): ModelProvider {
  const made = new LRUCache<string, Model>({ max: MAX_MODELS })

  function make(modelId: string): Model {
    const model = { ...info, modelId, modelProvider: 'local', languageModel: createLocalModel(modelId) }
    made.set(modelId, model)
    return model
  }

  return {
    name: 'Built-in',
    configured: async () => true,
    isLocal: true,
    languageModel: async (_project, modelId) =>
      made.get(modelId ?? info.modelId) ?? make(modelId ?? info.modelId),
    languageModels: async () => [info]
  }
}
