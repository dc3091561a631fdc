import type { Kernel, Principal } from 'agent-platform'
import { conflict, invalid } from 'agent-platform'
import type { Embedder, EmbeddingChoice, ModelProvider } from '../contract.ts'
import { notConfigured } from '../providers/api-key-provider.ts'
import type { EmbeddingModelChoice, ListedModel } from '../schemas.ts'
import type { ModelSettings } from '../settings.ts'
import type { Choices } from './choices.ts'
import { createEmbedder } from './embedder.ts'
import { admitProjectWide } from './project-wide.ts'

export type EmbeddingModels = ReturnType<typeof createEmbeddingModels>

interface Deps extends Pick<Kernel, 'points'> {
  settings: ModelSettings
  choices: Choices
}
interface Decision extends EmbeddingChoice {
  readonly source: EmbeddingModelChoice['source']
}

/** Which embedding model a project has, and which there are. */
export function createEmbeddingModels({ points, settings, choices }: Deps) {
  const { embeddingProvider, embeddingModelId = null } = settings
  const common: Decision | undefined =
    embeddingProvider === undefined
      ? undefined
      : { modelProvider: embeddingProvider, modelId: embeddingModelId, source: 'environment' }

  const find = (key: string) => points.all('models.provider').find((it) => it.key === key)?.value

  /** Without a project: what is the same for every one. */
  async function decide(project: string | undefined): Promise<Decision | undefined> {
    const own = project === undefined ? undefined : await choices.of(project, 'embedding')
    if (own) return { ...own, source: 'project' }
    if (common) return common
    const local = points
      .all('models.provider')
      .find(({ key, value }) => key !== undefined && value.isLocal && value.embeddingModel)
    return local?.key === undefined
      ? undefined
      : { modelProvider: local.key, modelId: null, source: 'default' }
  }

  async function embedding(project: string, given?: EmbeddingChoice): Promise<Embedder> {
    const choice = given ?? (await decide(project))
    if (!choice) throw notConfigured('No model gives vectors for texts: choose one')
    const provider = find(choice.modelProvider)
    if (!provider)
      throw conflict(`There is no model provider ${choice.modelProvider} any more`, {
        code: 'model_provider_unknown'
      })
    if (!provider.embeddingModel) throw missing(choice.modelProvider)
    return createEmbedder(await provider.embeddingModel(project, choice.modelId), provider.isLocal === true)
  }

  async function read(by: Principal): Promise<EmbeddingModelChoice> {
    const [chosen, own] = await Promise.all([decide(by.project), choices.of(by.project, 'embedding')])
    if (!chosen) throw notConfigured('No model gives vectors for texts: choose one')
    const { modelProvider, modelId, source } = chosen
    return { modelProvider, modelId, source, version: own?.version ?? 0, updatedAt: own?.updatedAt ?? null }
  }

  /** It is asked for a vector first, so that what cannot answer is never chosen. */
  async function choose(by: Principal, choice: EmbeddingChoice, version?: number) {
    admitProjectWide(by)
    const provider = find(choice.modelProvider)
    if (!provider) throw invalid('/modelProvider', `There is no model provider ${choice.modelProvider}`)
    if (!provider.embeddingModel) throw missing(choice.modelProvider)
    await (await embedding(by.project, choice)).embed(['A text to try it by'], { as: 'document' })
    await choices.choose(by, 'embedding', choice, version)
    return read(by)
  }

  async function reset(by: Principal, version?: number) {
    admitProjectWide(by)
    await choices.reset(by, 'embedding', version)
  }

  /** Those of a provider as `GET /v1/models` has them. */
  async function listOf(
    project: string | undefined,
    modelProvider: string,
    provider: ModelProvider,
    configured: boolean
  ): Promise<readonly ListedModel[]> {
    const infos = (await provider.embeddingModels?.(project)) ?? []
    const usual = await decide(project)
    const chosen = usual?.modelProvider === modelProvider ? (usual.modelId ?? infos[0]?.modelId) : undefined
    const isListed = chosen === undefined || infos.some(({ modelId }) => modelId === chosen)
    const all = isListed ? infos : [{ modelId: chosen, name: chosen, dimensions: null }, ...infos]
    return all.map((info) => ({
      id: `${modelProvider}/${info.modelId}`,
      modelProvider,
      configured,
      ...info,
      contextTokens: null,
      outputTokens: null,
      inputModalities: ['text'],
      modalities: ['embedding'],
      default: info.modelId === chosen
    }))
  }

  return { embedding, decide, read, choose, reset, listOf }
}

const missing = (modelProvider: string) =>
  invalid('/modelProvider', `${modelProvider} has no embedding models`, 'modality_missing')
