import { seeing } from '../catalogue.ts'
import { createChatCompletionsModel } from '../chat-completions.ts'
import type { ModelInfo } from '../contract.ts'
import { createEmbeddingsModel } from '../embeddings-api/model.ts'
import type { ModelSettings } from '../settings.ts'
import type { KeyedDeps } from './api-key-provider.ts'
import { createKeyedProvider } from './api-key-provider.ts'
import { compatibleOptions } from './openai-compatible.ts'
import type { ServedModels } from './remote-models.ts'
import type { Vendor } from './vendor.ts'

interface Hosted {
  readonly name: string
  /** Address of its chat completions; undefined: each customer has another one. */
  readonly baseUrl?: string
  readonly apiKey: keyof ModelSettings
  /** It follows OpenAI's own dialect. */
  readonly isOpenai?: boolean
  /** It has `POST /embeddings`. */
  readonly hasEmbeddings?: boolean
  /** Models that it does not list itself. */
  readonly models?: readonly ModelInfo[]
}

const model = (modelId: string, name: string, contextTokens: number, outputTokens: number): ModelInfo => ({
  modelId,
  name,
  contextTokens,
  outputTokens,
  inputModalities: ['text']
})

/**
 * Hosted providers that speak chat completions, by their key, in the order in which they become the default. Addresses and
 * the models of Cohere and Perplexity are those of the vendors' documentation in November 2026.
 */
export const hosted = {
  azure: { name: 'Azure OpenAI', apiKey: 'azureApiKey', isOpenai: true, hasEmbeddings: true },
  mistral: {
    name: 'Mistral',
    apiKey: 'mistralApiKey',
    baseUrl: 'https://api.mistral.ai/v1',
    hasEmbeddings: true
  },
  groq: { name: 'Groq', apiKey: 'groqApiKey', baseUrl: 'https://api.groq.com/openai/v1' },
  deepseek: { name: 'DeepSeek', apiKey: 'deepseekApiKey', baseUrl: 'https://api.deepseek.com' },
  xai: { name: 'xAI', apiKey: 'xaiApiKey', baseUrl: 'https://api.x.ai/v1' },
  openrouter: { name: 'OpenRouter', apiKey: 'openrouterApiKey', baseUrl: 'https://openrouter.ai/api/v1' },
  together: {
    name: 'Together AI',
    apiKey: 'togetherApiKey',
    baseUrl: 'https://api.together.xyz/v1',
    hasEmbeddings: true
  },
  fireworks: {
    name: 'Fireworks AI',
    apiKey: 'fireworksApiKey',
    baseUrl: 'https://api.fireworks.ai/inference/v1',
    hasEmbeddings: true
  },
  cohere: {
    name: 'Cohere',
    apiKey: 'cohereApiKey',
    baseUrl: 'https://api.cohere.ai/compatibility/v1',
    hasEmbeddings: true,
    models: [model('command-a-03-2025', 'Command A', 256_000, 8_000)]
  },
  perplexity: {
    name: 'Perplexity',
    apiKey: 'perplexityApiKey',
    baseUrl: 'https://api.perplexity.ai',
    models: [
      model('sonar-pro', 'Sonar Pro', 200_000, 8_000),
      model('sonar', 'Sonar', 128_000, 8_000),
      model('sonar-reasoning-pro', 'Sonar Reasoning Pro', 128_000, 8_000)
    ]
  }
} as const satisfies Readonly<Record<string, Hosted>>

export type HostedKey = keyof typeof hosted
export const hostedKeys = Object.keys(hosted) as readonly HostedKey[]

interface Deps extends KeyedDeps {
  settings: ModelSettings
  servedModels: ServedModels
}

/** A hosted provider: like an OpenAI-compatible server, with a known address and a key of its own. */
export function createHostedProvider(key: HostedKey, { settings, servedModels, ...deps }: Deps) {
  const { name, baseUrl, apiKey, isOpenai = false, hasEmbeddings, models }: Hosted = hosted[key]
  const address = key === 'azure' ? settings.azureBaseUrl : baseUrl
  const embedding: Vendor['embedding'] = {
    // None of them tells which of its models give vectors: they have to be named.
    list: () => [],
    make: (modelId, access) => createEmbeddingsModel(modelId, { modelProvider: key, ...access })
  }
  return createKeyedProvider(
    {
      key,
      name,
      environment: { apiKey: settings[apiKey] as string | undefined, baseUrl: address },
      needsKey: true,
      inputModalities: isOpenai ? seeing : ['text'],
      // Of these, only OpenRouter has a budget.
      vendorOptions: ({ reasoningTokens, ...options }) =>
        compatibleOptions(
          key === 'openrouter' && reasoningTokens !== undefined ? { ...options, reasoningTokens } : options
        ),
      async list(route, access) {
        if (models) return models
        return route && access ? servedModels(`${key} ${route.revision}`, access) : []
      },
      make: (modelId, access) =>
        createChatCompletionsModel(modelId, { modelProvider: key, openai: isOpenai, ...access }),
      ...(hasEmbeddings && { embedding })
    },
    deps
  )
}
