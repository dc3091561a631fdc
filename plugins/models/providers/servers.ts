import type { Kernel } from 'agent-platform'
import { LRUCache } from 'lru-cache'
import { createChatCompletionsModel } from '../chat-completions.ts'
import type { ModelInfo, ModelProvider } from '../contract.ts'
import type { Configuration } from '../stores/configurations.ts'
import { adapted } from './adapted-model.ts'
import type { KeyedDeps } from './api-key-provider.ts'
import { createKeyedProvider } from './api-key-provider.ts'
import { compatibleOptions } from './openai-compatible.ts'
import { createServedModels } from './remote-models.ts'
import type { VendorAccess } from './vendor.ts'

export type Servers = ReturnType<typeof createServers>

interface Deps extends KeyedDeps, Pick<Kernel, 'log'> {}
interface Found {
  readonly key: string
  readonly provider: Speaking
}
type Speaking = ModelProvider & Required<Pick<ModelProvider, 'languageModel' | 'languageModels'>>

const PREFIX = 'openai-compatible:'
const MAX_SERVERS = 1_000

export const keyOfServer = (name: string) => PREFIX + name
export const nameOfServer = (key: string) => key.slice(PREFIX.length)
export const isServer = (key: string) => key.startsWith(PREFIX) && key.length > PREFIX.length

/** Servers of chat completions that projects name: each is a provider of its own, by the key `openai-compatible:<name>`. */
export function createServers({ log, configurations, modelConnections }: Deps) {
  const servedModels = createServedModels({ log })
  const made = new LRUCache<string, Speaking>({ max: MAX_SERVERS })

  function make(key: string): Speaking {
    const provider = createKeyedProvider(
      {
        key,
        name: nameOfServer(key),
        environment: {},
        needsKey: false,
        inputModalities: ['text'],
        vendorOptions: compatibleOptions,
        list: async (route, access) =>
          route && access ? withOwn(await servedModels(route.revision, access), route.own) : [],
        make: (modelId, access) => modelOf(key, modelId, access)
      },
      { configurations, modelConnections }
    )
    made.set(key, provider)
    return provider
  }

  /** Undefined for any other provider. One that the project does not have is not configured. */
  const find = (key: string): Speaking | undefined =>
    isServer(key) ? (made.get(key) ?? make(key)) : undefined

  /** Those of a project, by name. */
  async function list(project: string | undefined): Promise<readonly Found[]> {
    if (project === undefined) return []
    const keys = [...(await configurations.of(project)).keys()].filter(isServer).sort()
    return keys.flatMap((key) => {
      const provider = find(key)
      return provider ? [{ key, provider }] : []
    })
  }

  return { find, list }
}

function modelOf(modelProvider: string, modelId: string, access: VendorAccess) {
  const model = createChatCompletionsModel(modelId, { modelProvider, openai: false, ...access })
  const { headers } = access
  return headers
    ? adapted(model, (call) => ({ call: { ...call, headers: { ...headers, ...call.headers } } }))
    : model
}

/** Models as the server lists them, with what the project says of them; first those that it names. */
function withOwn(served: readonly ModelInfo[], own: Configuration | undefined): readonly ModelInfo[] {
  const named = (own?.models ?? []).map(({ modelId, contextTokens, outputTokens, inputModalities }) => {
    const found = served.find((it) => it.modelId === modelId)
    const modalities = inputModalities ?? found?.inputModalities
    return {
      modelId,
      name: found?.name ?? modelId,
      contextTokens: contextTokens ?? found?.contextTokens ?? null,
      outputTokens: outputTokens ?? found?.outputTokens ?? null,
      ...(modalities && { inputModalities: modalities })
    }
  })
  const ids = new Set(named.map(({ modelId }) => modelId))
  return [...named, ...served.filter(({ modelId }) => !ids.has(modelId))]
}
