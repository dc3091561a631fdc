import type { Principal } from 'agent-platform'
import { preconditionFailed, unlessAborted, upstreamFailed } from 'agent-platform'
import type { Capability, Implementation, InUse, Wanted } from '../../providers/contract.ts'
import type { MediaModel, Medium, Modality, ModelProvider } from '../contract.ts'
import { quarterSecond } from '../media-api/silence.ts'
import type { Choices } from './choices.ts'
import type { EmbeddingModels } from './embedding-models.ts'
import type { MediaModelService } from './media-models.ts'
import type { ModelService } from './models.ts'
import { admitProjectWide } from './project-wide.ts'
import type { ProviderService } from './providers.ts'

interface Deps {
  choices: Choices
  modelService: ModelService
  embeddingModels: EmbeddingModels
  mediaModels: MediaModelService
  providerService: ProviderService
}

/** One modality as a capability. */
interface Served {
  readonly title: string
  readonly description: string
  /** Known models of a provider; undefined where it has none of this modality. */
  models(provider: ModelProvider, project: string): Promise<readonly string[]> | undefined
  configured(provider: ModelProvider, project: string): Promise<boolean>
  current(project: string): Promise<Omit<InUse, 'version' | 'updatedAt' | 'configured'> | undefined>
  /** Asks that model for as little as it can be asked for. */
  try(project: string, choice: { modelProvider: string; modelId: string | null }): Promise<void>
}

/** Milliseconds for an answer: until then a project has what is being tried. */
const TRY_MS = 60_000

const ids = async (listed: Promise<readonly { readonly modelId: string }[]> | undefined) =>
  ((await listed) ?? []).map(({ modelId }) => modelId)

/** What models do, as capabilities of which a project chooses. */
export function createCapabilityChoices(deps: Deps) {
  const { choices, modelService, embeddingModels, mediaModels, providerService } = deps

  const language: Served = {
    title: 'Models',
    description: 'Answers in runs of agents that name no model',
    models: (provider, project) => provider.languageModel && ids(provider.languageModels?.(project)),
    configured: (provider, project) => provider.configured(project),
    async current(project) {
      const { key: provider, modelId, source } = await modelService.decide(project)
      return { provider, modelId, source }
    },
    async try(project, choice) {
      const { languageModel } = await modelService.resolve(project, choice)
      const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Say OK' }] }]
      await languageModel.doGenerate({ prompt, maxOutputTokens: 64 })
    }
  }
  const embedding: Served = {
    title: 'Embeddings',
    description: 'Gives vectors for texts, by which knowledge and memories are found',
    models: (provider, project) => provider.embeddingModel && ids(provider.embeddingModels?.(project)),
    configured: (provider, project) => provider.configured(project),
    async current(project) {
      const decided = await embeddingModels.decide(project)
      return decided && { ...decided, provider: decided.modelProvider }
    },
    async try(project, choice) {
      await (await embeddingModels.embedding(project, choice)).embed(['A text'], { as: 'document' })
    }
  }

  const media = <M extends Medium>(
    medium: M,
    about: Pick<Served, 'title' | 'description'>,
    ask: (model: MediaModel<M>) => PromiseLike<unknown>
  ): Served => ({
    ...about,
    models: (provider, project) => {
      const source = mediaModels.sourceOf(provider, medium)
      return source && ids(source.list(project))
    },
    configured: (provider, project) => mediaModels.configured(provider, medium, project),
    async current(project) {
      const decided = await mediaModels.decide(project, medium)
      return decided && { ...decided, provider: decided.modelProvider }
    },
    async try(project, choice) {
      await ask(await mediaModels.media(project, medium, choice))
    }
  })

  const served = {
    language,
    embedding,
    transcription: media(
      'transcription',
      { title: 'Transcription', description: 'Writes down what is said' },
      ({ model }) => model.doGenerate({ audio: quarterSecond(), mediaType: 'audio/wav' })
    ),
    speech: media('speech', { title: 'Speech', description: 'Speaks what is written' }, ({ model }) =>
      model.doGenerate({ text: 'OK' })
    ),
    image: media('image', { title: 'Images', description: 'Draws what is described' }, ({ model }) =>
      model.doGenerate({
        prompt: 'A small blue dot',
        n: 1,
        size: undefined,
        aspectRatio: undefined,
        seed: undefined,
        files: undefined,
        mask: undefined,
        providerOptions: {}
      })
    )
  } satisfies Record<Modality, Served>

  function capability(modality: Modality): Capability {
    const { title, description, models, configured, current, try: ask } = served[modality]

    async function list(project: string): Promise<readonly Implementation[]> {
      const found = providerService.all().map(async ({ key, provider, takes }) => {
        const known = models(provider, project)
        if (!known) return []
        const isReady = await configured(provider, project)
        return [{ provider: key, name: provider.name, configured: isReady, models: await known, takes }]
      })
      return (await Promise.all(found)).flat()
    }

    return {
      title,
      description,
      list,
      async current(project) {
        const [decided, own] = await Promise.all([
          current(project).catch(() => undefined),
          choices.of(project, modality)
        ])
        if (!decided) return undefined
        const { provider: key, modelId, source } = decided
        const provider = providerService.all().find((it) => it.key === key)?.provider
        return {
          provider: key,
          modelId,
          source,
          configured: provider !== undefined && (await configured(provider, project)),
          version: own?.version ?? 0,
          updatedAt: own?.updatedAt ?? null
        }
      },
      choice: {
        async choose(by: Principal, { provider, modelId = null, apiKey, baseUrl }: Wanted, version) {
          admitProjectWide(by)
          const choice = { modelProvider: provider, modelId }
          const before = (await choices.of(by.project, modality))?.version ?? 0
          if (version !== undefined && version !== before)
            throw preconditionFailed(
              'If-Match does not match the current version. Fetch the resource and retry with its ETag.'
            )
          const access = {
            ...(apiKey !== undefined && { apiKey }),
            ...(baseUrl !== undefined && { baseUrl })
          }
          await providerService.tried(by, provider, access, () =>
            unlessAborted(AbortSignal.timeout(TRY_MS), ask(by.project, choice)).catch(told)
          )
          await choices.choose(by, modality, choice, version)
        },
        async reset(by, version) {
          admitProjectWide(by)
          await choices.reset(by, modality, version)
        }
      }
    }
  }

  return { capability }
}

/** As errors of providers are known: by their shape. Never what the other side said. */
function told(error: { kind?: string; statusCode?: number }): never {
  if (error.kind !== undefined) throw error
  const { statusCode } = error
  const said = statusCode === undefined ? 'could not be reached' : `answered ${statusCode}`
  throw upstreamFailed(`The provider check failed: the provider ${said}`, {
    code: 'provider_failed',
    cause: error
  })
}
