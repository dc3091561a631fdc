import type { LanguageModelV4 } from '@ai-sdk/provider'
import { unavailable } from 'agent-platform'
import { LRUCache } from 'lru-cache'
import type { Dispatcher } from 'undici'
import { infoOf } from '../catalogue.ts'
import type { ModelConnections } from '../connections.ts'
import type { Model, ModelInfo, ModelProvider } from '../contract.ts'
import type { Configurations } from '../services/configurations.ts'
import type { Configuration } from '../stores/configurations.ts'

/** All that is needed to ask a vendor. */
export interface Access {
  readonly baseUrl: string
  readonly apiKey?: string
  readonly dispatcher: Dispatcher
}

/** How a project reaches a vendor. */
export interface Way {
  /** Stands for key and address: another one for each change of either. */
  readonly place: string
  readonly baseUrl: string
  /** Undefined: by the operator's key. */
  readonly own?: Configuration
}

export interface Vendor {
  readonly key: string
  readonly name: string
  /** What the operator set up for every project. */
  readonly environment: { readonly apiKey?: string | undefined; readonly baseUrl?: string | undefined }
  readonly needsKey: boolean
  /** Its default first. Without a way: what is known all the same. */
  list(way?: Way, access?: () => Promise<Access>): readonly ModelInfo[] | Promise<readonly ModelInfo[]>
  make(modelId: string, access: Access): LanguageModelV4 | Promise<LanguageModelV4>
}

export interface KeyedDeps {
  configurations: Configurations
  modelConnections: ModelConnections
}

const MAX_MODELS = 1_000
/** Sizes that a server did not tell at first may be known later. */
const KEEP_MS = 600_000

export const notConfigured = (message: string, cause?: unknown) =>
  unavailable(message, { code: 'model_not_configured', cause })

const trimmed = (address: string) => address.replace(/\/+$/, '')

/**
 * A provider with a key and an address, both the operator's or the project's own. The operator's key goes to the
 * operator's address alone.
 */
export function createKeyedProvider(vendor: Vendor, { configurations, modelConnections }: KeyedDeps) {
  const { key, name, environment, needsKey } = vendor
  const made = new LRUCache<string, Promise<Model>>({ max: MAX_MODELS, ttl: KEEP_MS })
  const common: Way | undefined =
    environment.baseUrl !== undefined && (environment.apiKey !== undefined || !needsKey)
      ? { place: 'environment', baseUrl: trimmed(environment.baseUrl) }
      : undefined

  async function wayOf(project?: string): Promise<Way | undefined> {
    const own = project === undefined ? undefined : (await configurations.of(project)).get(key)
    if (!own || (own.apiKey === null && own.baseUrl === null)) return common
    const baseUrl = own.baseUrl ?? environment.baseUrl
    if (baseUrl === undefined || (needsKey && own.apiKey === null)) return undefined
    return { place: `${own.id}/${own.version}`, baseUrl: trimmed(baseUrl), own }
  }

  async function accessBy({ baseUrl, own }: Way): Promise<Access> {
    const dispatcher = await modelConnections.to(own && own.baseUrl !== null ? 'project' : 'operator')
    const apiKey = own ? await openKey(own) : environment.apiKey
    return { baseUrl, dispatcher, ...(apiKey !== undefined && { apiKey }) }
  }

  async function openKey(own: Configuration): Promise<string | undefined> {
    if (own.apiKey === null) return undefined
    return configurations.open(own, own.apiKey).catch((error) => {
      throw notConfigured(`The project's key for ${name} cannot be opened: set it again`, error)
    })
  }

  const list = (way: Way) => vendor.list(way, () => accessBy(way))

  async function make(way: Way, modelId: string): Promise<Model> {
    const languageModel = await vendor.make(modelId, await accessBy(way))
    return { ...infoOf(await list(way), modelId), modelProvider: key, languageModel }
  }

  async function model(project: string, modelId: string | null): Promise<Model> {
    const way = await wayOf(project)
    if (!way) throw notConfigured(`${name} is not configured: it needs ${needsKey ? 'a key' : 'an address'}`)
    const id = modelId ?? (await list(way))[0]?.modelId
    if (id === undefined) throw notConfigured(`${name} lists no models: name one by its modelId`)
    const place = `${way.place}/${id}`
    const known = made.get(place)
    if (known) return known
    const asked = make(way, id)
    made.set(place, asked)
    asked.catch(() => made.delete(place))
    return asked
  }

  return {
    name,
    configured: async (project) => (await wayOf(project)) !== undefined,
    model,
    async models(project) {
      const way = await wayOf(project)
      return way ? list(way) : vendor.list()
    }
  } satisfies ModelProvider
}
