import type { LanguageModelV4 } from '@ai-sdk/provider'
import {
  openaiEmbeddingModels,
  openaiImageModels,
  openaiModels,
  openaiSpeechModels,
  openaiTranscriptionModels,
  openaiVoices,
  seeing
} from '../catalogue.ts'
import { createChatCompletionsModel } from '../chat-completions.ts'
import { createEmbeddingsModel } from '../embeddings-api/model.ts'
import { createImageModel } from '../media-api/image.ts'
import { createSpeechModel } from '../media-api/speech.ts'
import { createTranscriptionModel } from '../media-api/transcription.ts'
import type { ModelSettings } from '../settings.ts'
import { adapted } from './adapted-model.ts'
import type { KeyedDeps } from './api-key-provider.ts'
import { createKeyedProvider } from './api-key-provider.ts'

/** Since 5.5: over chat completions they refuse tools unless they are told not to reason. */
const RELUCTANT = /^gpt-(?:5\.(?:[5-9]|\d\d)|[6-9]|\d\d)/

export const createOpenaiProvider = ({ settings, ...deps }: KeyedDeps & { settings: ModelSettings }) =>
  createKeyedProvider(
    {
      key: 'openai',
      name: 'OpenAI',
      environment: { apiKey: settings.openaiApiKey, baseUrl: settings.openaiBaseUrl },
      needsKey: true,
      list: () => openaiModels,
      inputModalities: seeing,
      vendorOptions: ({ parallelToolCalls }) =>
        parallelToolCalls === undefined ? undefined : { parallel_tool_calls: parallelToolCalls },
      make(modelId, access) {
        const options = { modelProvider: 'openai', openai: true, ...access }
        const model = createChatCompletionsModel(modelId, options)
        return RELUCTANT.test(modelId) ? persuaded(model) : model
      },
      embedding: {
        list: () => openaiEmbeddingModels,
        make: (modelId, access) => createEmbeddingsModel(modelId, { modelProvider: 'openai', ...access })
      },
      media: {
        transcription: {
          list: () => openaiTranscriptionModels,
          make: (modelId, access) => createTranscriptionModel(modelId, { modelProvider: 'openai', ...access })
        },
        speech: {
          list: () => openaiSpeechModels,
          make: (modelId, access) => createSpeechModel(modelId, { modelProvider: 'openai', ...access }),
          voices: openaiVoices
        },
        image: {
          list: () => openaiImageModels,
          make: (modelId, access) => createImageModel(modelId, { modelProvider: 'openai', ...access })
        }
      }
    },
    deps
  )

/** The same model, told not to reason where it has tools; a call that sets `reasoning` itself is not changed. */
const persuaded = (model: LanguageModelV4) =>
  adapted(model, (call) =>
    call.tools?.length && (call.reasoning ?? 'provider-default') === 'provider-default'
      ? { call: { ...call, reasoning: 'none' } }
      : { call }
  )
