import { anthropicModels, seeing } from '../catalogue.ts'
import type { ModelSettings } from '../settings.ts'
import { adapted } from './adapted-model.ts'
import type { KeyedDeps } from './api-key-provider.ts'
import { createKeyedProvider } from './api-key-provider.ts'
import { withCachePoints } from './cache-points.ts'
import { conceding } from './conceding-model.ts'
import { limited } from './limited-model.ts'
import { fetchBy } from './provider-fetch.ts'

/** By Anthropic's own dialect; its client is loaded when it is first used. */
export const createAnthropicProvider = ({ settings, ...deps }: KeyedDeps & { settings: ModelSettings }) =>
  createKeyedProvider(
    {
      key: 'anthropic',
      name: 'Anthropic',
      environment: { apiKey: settings.anthropicApiKey, baseUrl: settings.anthropicBaseUrl },
      needsKey: true,
      list: () => anthropicModels,
      inputModalities: seeing,
      vendorOptions: ({ parallelToolCalls, reasoningTokens }) => ({
        ...(parallelToolCalls === false && { disableParallelToolUse: true }),
        // Budgets below 1,024 are refused; none at all means no thinking.
        ...(reasoningTokens !== undefined && {
          thinking:
            reasoningTokens === 0
              ? { type: 'disabled' }
              : { type: 'enabled', budgetTokens: Math.max(reasoningTokens, 1_024) }
        })
      }),
      async make(modelId, access) {
        const { apiKey, baseUrl } = access
        const { createAnthropic } = await import('@ai-sdk/anthropic')
        const vendor = createAnthropic({ apiKey, baseURL: baseUrl, fetch: fetchBy(access) })
        const model = limited(conceding(vendor(modelId)))
        return adapted(model, (call) => ({ call: withCachePoints(call) }))
      }
    },
    deps
  )
