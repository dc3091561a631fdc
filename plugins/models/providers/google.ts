import { googleModels } from '../catalogue.ts'
import type { ModelSettings } from '../settings.ts'
import { fetchBy } from './fetching.ts'
import type { KeyedDeps } from './keyed.ts'
import { createKeyedProvider } from './keyed.ts'

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
        return createGoogle({ apiKey, baseURL: baseUrl, fetch: fetchBy(access) })(modelId)
      }
    },
    deps
  )
