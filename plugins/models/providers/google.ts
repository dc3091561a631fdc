import { googleModels } from '../catalogue.ts'
import type { ModelSettings } from '../settings.ts'
import type { KeyedDeps } from './api-key-provider.ts'
import { createKeyedProvider } from './api-key-provider.ts'
import { limited } from './limited-model.ts'
import { fetchBy } from './provider-fetch.ts'

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
      async make(modelId, access) {
        const { apiKey, baseUrl } = access
        const { createGoogle } = await import('@ai-sdk/google')
        const vendor = createGoogle({ apiKey, baseURL: baseUrl, fetch: fetchBy(access) })
        return limited(vendor(modelId))
      }
    },
    deps
  )
