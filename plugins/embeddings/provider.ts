import { upstreamFailed } from 'agent-platform'
import type { EmbeddingModel, EmbeddingModelInfo, ModelProvider } from '../models/contract.ts'
import type { Encoder } from './encoder.ts'

/** Texts of one call: a question never waits for more of them than that. */
const TEXTS = 8

const info = {
  modelId: 'universal-sentence-encoder-lite',
  name: 'Universal Sentence Encoder lite (English)',
  dimensions: 512
} satisfies EmbeddingModelInfo

/** The embedding model that is always there; any id stands for the same one. */
export function createOfflineProvider({ encoder }: { encoder: Encoder }): ModelProvider {
  const modelOf = (project: string): EmbeddingModel => ({
    ...info,
    modelProvider: 'offline',
    embeddingModel: {
      specificationVersion: 'v4',
      provider: 'offline',
      modelId: info.modelId,
      maxEmbeddingsPerCall: TEXTS,
      supportsParallelCalls: false,
      async doEmbed({ values, abortSignal, providerOptions }) {
        const as = providerOptions?.offline?.as === 'query' ? 'query' : 'document'
        const encoded = await encoder.encode(project, as, values, abortSignal)
        if ('failure' in encoded)
          throw upstreamFailed('The embedding model failed', {
            code: 'embedding_failed',
            cause: encoded.failure
          })
        const embeddings = values.map((_, at) => [
          ...encoded.numbers.subarray(at * info.dimensions, (at + 1) * info.dimensions)
        ])
        return { embeddings, warnings: [] }
      }
    }
  })

  return {
    name: 'Built-in',
    isLocal: true,
    configured: async () => true,
    embeddingModel: async (project) => modelOf(project),
    embeddingModels: async () => [info]
  }
}
