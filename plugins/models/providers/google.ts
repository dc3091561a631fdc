import { googleEmbeddingModels, googleModels, seeing } from '../catalogue.ts'
import type { ModelSettings } from '../settings.ts'
import type { KeyedDeps } from './api-key-provider.ts'
import { createKeyedProvider } from './api-key-provider.ts'
import { conceding } from './conceding-model.ts'
import { limited } from './limited-model.ts'
import { fetchBy } from './provider-fetch.ts'
import type { VendorAccess } from './vendor.ts'

/** By the Gemini API; its client is loaded when it is first used. */
export const createGoogleProvider = ({ settings, ...deps }: KeyedDeps & { settings: ModelSettings }) =>
  createKeyedProvider(
    {
      key: 'google',
      name: 'Google',
      environment: {
        apiKey: settings.googleApiKey ?? settings.geminiApiKey,
        baseUrl: settings.googleBaseUrl
      },
      needsKey: true,
      list: () => googleModels,
      inputModalities: seeing,
      vendorOptions: ({ reasoningTokens }) =>
        reasoningTokens === undefined ? undefined : { thinkingConfig: { thinkingBudget: reasoningTokens } },
      make: async (modelId, access) => limited(conceding((await clientBy(access))(modelId))),
      embedding: {
        list: () => googleEmbeddingModels,
        make: async (modelId, access) => (await clientBy(access)).embeddingModel(modelId)
      }
    },
    deps
  )

async function clientBy(access: VendorAccess) {
  const { createGoogle } = await import('@ai-sdk/google')
  const { apiKey, baseUrl } = access
  return createGoogle({ apiKey, baseURL: baseUrl, fetch: fetchBy(access) })
}
