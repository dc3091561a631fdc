import { infoOf, seeing } from '../catalogue.ts'
import { createChatCompletionsModel } from '../chat-completions.ts'
import type { ModelInfo } from '../contract.ts'
import { createEmbeddingsModel } from '../embeddings-api/model.ts'
import { createImageModel } from '../media-api/image.ts'
import { createSpeechModel } from '../media-api/speech.ts'
import { createTranscriptionModel } from '../media-api/transcription.ts'
import type { ModelSettings } from '../settings.ts'
import type { VendorOptionsOf } from '../vendor-options.ts'
import type { KeyedDeps } from './api-key-provider.ts'
import { createKeyedProvider } from './api-key-provider.ts'
import type { ServedModels } from './remote-models.ts'

interface Deps extends KeyedDeps {
  settings: ModelSettings
  servedModels: ServedModels
}

/** Options as such servers call them; the budget as OpenRouter does. */
export const compatibleOptions: VendorOptionsOf = ({ parallelToolCalls, reasoningTokens }) => ({
  ...(parallelToolCalls !== undefined && { parallel_tool_calls: parallelToolCalls }),
  ...(reasoningTokens !== undefined && { reasoning: { max_tokens: reasoningTokens } })
})

/** Whatever speaks chat completions; the model that the operator named is the default of that server only. */
export function createOpenaiCompatibleProvider({ settings, servedModels, ...deps }: Deps) {
  const { openaiCompatibleModel: preferred, openaiCompatibleEmbeddingModel: embedding } = settings
  const { openaiCompatibleContextTokens = null, openaiCompatibleOutputTokens = null } = settings
  /** With what the operator says of a model whose server does not. */
  const sized = (info: ModelInfo): ModelInfo => ({
    ...info,
    contextTokens: info.contextTokens ?? openaiCompatibleContextTokens,
    outputTokens: info.outputTokens ?? openaiCompatibleOutputTokens
  })
  return createKeyedProvider(
    {
      key: 'openai-compatible',
      sized,
      name: 'OpenAI-compatible server',
      environment: {
        apiKey: settings.openaiCompatibleApiKey,
        baseUrl: settings.openaiCompatibleBaseUrl
      },
      needsKey: false,
      vendorOptions: compatibleOptions,
      inputModalities: settings.openaiCompatibleImages ? seeing : ['text'],
      async list(way, access) {
        if (!way || !access) return []
        const served = (await servedModels(way.revision, access)).map(sized)
        if (preferred === undefined || way.own?.baseUrl) return served
        return [sized(infoOf(served, preferred)), ...served.filter(({ modelId }) => modelId !== preferred)]
      },
      make: (modelId, access) =>
        createChatCompletionsModel(modelId, {
          modelProvider: 'openai-compatible',
          openai: false,
          ...access
        }),
      embedding: {
        // Which of its models give vectors a server does not tell.
        list: (way) =>
          embedding === undefined || way?.own?.baseUrl
            ? []
            : [{ modelId: embedding, name: embedding, dimensions: null }],
        make: (modelId, access) =>
          createEmbeddingsModel(modelId, { modelProvider: 'openai-compatible', ...access })
      },
      // Which of its models do so a server does not tell: they have to be named.
      media: {
        transcription: {
          list: () => [],
          make: (modelId, access) =>
            createTranscriptionModel(modelId, { modelProvider: 'openai-compatible', ...access })
        },
        speech: {
          list: () => [],
          make: (modelId, access) =>
            createSpeechModel(modelId, { modelProvider: 'openai-compatible', ...access })
        },
        image: {
          list: () => [],
          make: (modelId, access) =>
            createImageModel(modelId, { modelProvider: 'openai-compatible', ...access })
        }
      }
    },
    deps
  )
}
