import type { Kernel } from 'agent-platform'
import type { ModelSettings } from '../settings.ts'
import { createAnthropicProvider } from './anthropic.ts'
import type { KeyedDeps } from './api-key-provider.ts'
import { createGoogleProvider } from './google.ts'
import type { HostedKey } from './hosted.ts'
import { createHostedProvider, hostedKeys } from './hosted.ts'
import { createOpenaiProvider } from './openai.ts'
import { createOpenaiCompatibleProvider } from './openai-compatible.ts'
import { createServedModels } from './remote-models.ts'

interface Deps extends KeyedDeps, Pick<Kernel, 'log'> {
  settings: ModelSettings
}

/** The providers that need a key or an address, by their `modelProvider`. */
export function createKeyedProviders({ log, settings, configurations, modelConnections }: Deps) {
  const deps = { settings, configurations, modelConnections }
  const served = { ...deps, servedModels: createServedModels({ log }) }
  const hostedProviders = hostedKeys.map((key) => [key, createHostedProvider(key, served)] as const)
  return {
    ...(Object.fromEntries(hostedProviders) as Record<HostedKey, ReturnType<typeof createHostedProvider>>),
    openai: createOpenaiProvider(deps),
    anthropic: createAnthropicProvider(deps),
    google: createGoogleProvider(deps),
    'openai-compatible': createOpenaiCompatibleProvider(served)
  }
}
