import { anthropicModels } from '../catalogue.ts'
import type { ModelSettings } from '../settings.ts'
import { fetchBy } from './fetching.ts'
import type { KeyedDeps } from './keyed.ts'
import { createKeyedProvider } from './keyed.ts'

/** By Anthropic's own dialect; its client is loaded when it is first used. */
export const createAnthropicProvider = ({ settings, ...deps }: KeyedDeps & { settings: ModelSettings }) =>
  createKeyedProvider(
    {
      key: 'anthropic',
      name: 'Anthropic',
      environment: { apiKey: settings.anthropicApiKey, baseUrl: settings.anthropicBaseUrl },
      needsKey: true,
      list: () => anthropicModels,
      async make(modelId, access) {
        const { apiKey, baseUrl } = access
        const { createAnthropic } = await import('@ai-sdk/anthropic')
        return createAnthropic({ apiKey, baseURL: baseUrl, fetch: fetchBy(access) })(modelId)
      }
    },
    deps
  )
