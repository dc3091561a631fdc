import { trimEndOf, unavailable } from 'agent-platform'
import { LRUCache } from 'lru-cache'
import { infoOf } from '../catalogue.ts'
import type { ModelConnections } from '../connections.ts'
import type { EmbeddingModel, MediaSource, Medium, Model, ModelProvider } from '../contract.ts'
import type { Configurations } from '../services/provider-config.ts'
import type { Configuration } from '../stores/configurations.ts'
import { headersBy } from './project-headers.ts'
import type { Route, Vendor, VendorAccess, VendorMedia } from './vendor.ts'

export interface KeyedDeps {
  configurations: Configurations
  modelConnections: ModelConnections
}

const MAX_MODELS = 1_000
/** Sizes that a server did not tell at first may be known later. */
const KEEP_MS = 600_000

export const notConfigured = (message: string, cause?: unknown) =>
  unavailable(message, { code: 'model_not_configured', cause })

/** What a model's name ends with that tells a snapshot or an alias of the same model: a date, or `latest`. */
const SNAPSHOT = /[-@](?:latest|\d{8}|\d{4}-\d{2}-\d{2})$/

/** Two providers may serve models of one name by one protocol: their addresses tell them apart. */
function originOf(key: string, modelId: string, baseUrl: string): string {
  const { host, pathname } = new URL(baseUrl)
  return `${key}/${modelId.replace(SNAPSHOT, '')} at ${host}${pathname}`
}

const trimmed = (address: string) => trimEndOf(address, '/')

/**
 * A provider with a key and an address, both the operator's or the project's own. The operator's key goes to the
 * operator's address alone.
 */
export function createKeyedProvider(vendor: Vendor, { configurations, modelConnections }: KeyedDeps) {
  const { key, name, environment, needsKey } = vendor
  const common: Route | undefined =
    environment.baseUrl !== undefined && (environment.apiKey !== undefined || !needsKey)
      ? { revision: 'environment', baseUrl: trimmed(environment.baseUrl) }
      : undefined

  const needed = [
    ...(needsKey ? ['a key'] : []),
    ...(environment.baseUrl === undefined ? ['an address'] : [])
  ]
  const wanted = needed.join(' and ')

  async function routeOf(project?: string): Promise<Route | undefined> {
    const own = project === undefined ? undefined : (await configurations.of(project)).get(key)
    if (!own || (own.apiKey === null && own.baseUrl === null)) return common
    const baseUrl = own.baseUrl ?? environment.baseUrl
    if (baseUrl === undefined || (needsKey && own.apiKey === null)) return undefined
    return { revision: `${own.id}/${own.version}`, baseUrl: trimmed(baseUrl), own }
  }

  async function accessBy({ baseUrl, own }: Route): Promise<VendorAccess> {
    const dispatcher = await modelConnections.to(own && own.baseUrl !== null ? 'project' : 'operator')
    const guarded = await modelConnections.to('project')
    const apiKey = own ? await openKey(own) : environment.apiKey
    return {
      baseUrl,
      dispatcher,
      guarded,
      ...(apiKey !== undefined && { apiKey }),
      ...(await headersBy(configurations, own, name))
    }
  }

  async function openKey(own: Configuration): Promise<string | undefined> {
    if (own.apiKey === null) return undefined
    return configurations.open(own, own.apiKey).catch((error) => {
      throw notConfigured(`The project's key for ${name} cannot be opened: set it again`, error)
    })
  }

  const list = (route: Route) => vendor.list(route, () => accessBy(route))

  /** The models of one modality, each made once for a key and an address. */
  function kept<M extends object>(
    list: (route: Route) => readonly { modelId: string }[] | Promise<readonly { modelId: string }[]>,
    make: (route: Route, modelId: string) => Promise<M>
  ) {
    const made = new LRUCache<string, Promise<M>>({ max: MAX_MODELS, ttl: KEEP_MS })
    return async (project: string, modelId: string | null): Promise<M> => {
      const route = await routeOf(project)
      if (!route) throw notConfigured(`${name} is not configured: it needs ${wanted}`)
      const id = modelId ?? (await list(route))[0]?.modelId
      if (id === undefined) throw notConfigured(`${name} lists no models: name one by its modelId`)
      const cacheKey = `${route.revision}/${id}`
      const known = made.get(cacheKey)
      if (known) return known
      const asked = make(route, id)
      made.set(cacheKey, asked)
      asked.catch(() => made.delete(cacheKey))
      return asked
    }
  }

  async function makeLanguageModel(route: Route, modelId: string): Promise<Model> {
    const languageModel = await vendor.make(modelId, await accessBy(route))
    const { inputModalities, sized, vendorOptions } = vendor
    const info = infoOf(await list(route), modelId)
    const origin = originOf(key, modelId, route.baseUrl)
    return {
      inputModalities,
      ...(sized ? sized(info) : info),
      modelProvider: key,
      origin,
      languageModel,
      ...(vendorOptions && { vendorOptions })
    }
  }

  function embeddings({ list, make }: NonNullable<Vendor['embedding']>) {
    async function makeModel(route: Route, modelId: string): Promise<EmbeddingModel> {
      const embeddingModel = await make(modelId, await accessBy(route))
      const info = list(route).find((it) => it.modelId === modelId)
      return { name: modelId, dimensions: null, ...info, modelId, modelProvider: key, embeddingModel }
    }
    return {
      embeddingModel: kept(list, makeModel),
      embeddingModels: async (project?: string) => list(await routeOf(project))
    }
  }

  function mediaSource<M extends Medium>({ list, make, voices }: VendorMedia<M>): MediaSource<M> {
    const model = kept(list, async (route, modelId) => ({
      name: list(route).find((it) => it.modelId === modelId)?.name ?? modelId,
      modelId,
      model: make(modelId, await accessBy(route)),
      ...(voices && { voices: async () => voices })
    }))
    return { list: async (project) => list(await routeOf(project)), model }
  }
  const { transcription, speech, image } = vendor.media ?? {}

  return {
    name,
    configured: async (project) => (await routeOf(project)) !== undefined,
    languageModel: kept(list, makeLanguageModel),
    async languageModels(project) {
      const route = await routeOf(project)
      return route ? list(route) : vendor.list()
    },
    ...(vendor.embedding && embeddings(vendor.embedding)),
    media: {
      ...(transcription && { transcription: mediaSource(transcription) }),
      ...(speech && { speech: mediaSource(speech) }),
      ...(image && { image: mediaSource(image) })
    }
  } satisfies ModelProvider
}
