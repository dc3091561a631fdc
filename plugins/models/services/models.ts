import type { Kernel, Paging } from 'agent-platform'
import { conflict, invalid, pageOf } from 'agent-platform'
import { infoOf, shown } from '../catalogue.ts'
import type { Model, ModelChoice, ModelInfo, ModelProvider } from '../contract.ts'
import { fitted } from '../fitting/fitted.ts'
import { notConfigured } from '../providers/api-key-provider.ts'
import type { Servers } from '../providers/servers.ts'
import type { ListedModel } from '../schemas.ts'
import type { ModelSettings } from '../settings.ts'
import type { Choices } from './choices.ts'
import type { EmbeddingModels } from './embedding-models.ts'

export type ModelService = ReturnType<typeof createModelService>

interface Deps extends Pick<Kernel, 'points'> {
  settings: ModelSettings
  choices: Choices
  servers: Servers
  embeddingModels: EmbeddingModels
}
/** A provider of language models. */
type Speaking = ModelProvider & Required<Pick<ModelProvider, 'languageModel' | 'languageModels'>>

interface Chosen {
  readonly key: string
  readonly provider: Speaking
  /** Null: the provider's default. */
  readonly modelId: string | null
}

/** Which model answers, and which there are. */
export function createModelService({ points, settings, choices, servers, embeddingModels }: Deps) {
  const common: ModelChoice = {
    modelProvider: settings.modelProvider ?? null,
    modelId: settings.modelId ?? null
  }

  const speaking = () =>
    points
      .all('models.provider')
      .flatMap(({ key, value: provider }) =>
        key !== undefined && speaks(provider) ? [{ key, provider }] : []
      )

  /** With the project's own servers: before what needs no network, and is always there. */
  async function inOrder(project: string | undefined) {
    const all = speaking()
    const at = all.findIndex(({ provider }) => provider.isLocal)
    return all.toSpliced(at < 0 ? all.length : at, 0, ...(await servers.list(project)))
  }

  function checkProvider(modelProvider: string, param: string): void {
    // Whether the project has that server is known when it is asked.
    if (servers.find(modelProvider)) return
    const known = speaking().map(({ key }) => key)
    if (known.includes(modelProvider)) return
    if (points.all('models.provider').some(({ key }) => key === modelProvider))
      throw invalid(param, `${modelProvider} has no language models`, 'modality_missing')
    throw invalid(param, `There is no model provider ${modelProvider}; there are ${known.join(', ')}`)
  }

  function named(key: string, modelId: string | null): Chosen {
    const provider = speaking().find((it) => it.key === key)?.provider ?? servers.find(key)
    if (!provider)
      throw conflict(`There is no model provider ${key} any more`, { code: 'model_provider_unknown' })
    return { key, provider, modelId: modelId ?? (key === common.modelProvider ? common.modelId : null) }
  }

  /** The first provider that can answer. */
  async function first(project?: string): Promise<Chosen> {
    for (const { key, provider } of await inOrder(project))
      if (await provider.configured(project)) return { key, provider, modelId: null }
    throw notConfigured('No model provider is configured')
  }

  /** The first provider that can answer and is known to serve that model, if any. */
  async function serving(modelId: string, project?: string): Promise<Chosen | undefined> {
    for (const { key, provider } of await inOrder(project)) {
      if (!(await provider.configured(project))) continue
      const known = await provider.languageModels(project)
      if (known.some((it) => it.modelId === modelId)) return { key, provider, modelId }
    }
  }

  async function choose(choice: ModelChoice, project?: string): Promise<Chosen> {
    const isOpen = choice.modelProvider === null && choice.modelId === null
    const own = isOpen && project !== undefined ? await choices.of(project, 'language') : undefined
    const { modelProvider, modelId } = own ?? (isOpen ? common : choice)
    if (modelProvider !== null) return named(modelProvider, modelId)
    if (modelId === null) return first(project)
    const found = await serving(modelId, project)
    if (found) return found
    return common.modelProvider === null
      ? { ...(await first(project)), modelId }
      : named(common.modelProvider, modelId)
  }

  /** The default of a project, and who said so. */
  async function decide(project: string) {
    const { key, modelId } = await choose({ modelProvider: null, modelId: null }, project)
    const isChosen = (await choices.of(project, 'language')) !== undefined
    const isSaid = common.modelProvider !== null || common.modelId !== null
    const source = isChosen ? 'project' : isSaid ? 'environment' : 'default'
    return { key, modelId, source } as const
  }

  /** Models as providers made them, with the ones that are given out: a provider keeps each of its own. */
  const made = new WeakMap<Model, Model>()

  async function resolve(project: string, choice: ModelChoice): Promise<Model> {
    const { provider, modelId } = await choose(choice, project)
    const model = await provider.languageModel(project, modelId)
    const known = made.get(model)
    if (known) return known
    const given = { ...model, languageModel: fitted(model.languageModel, model.inputModalities) }
    made.set(model, given)
    return given
  }

  /** As a project has them; without one, what is the same for every project. */
  async function list(project: string | undefined, page: Paging) {
    const usual = await choose({ modelProvider: null, modelId: null }, project).catch(() => undefined)
    const named = (await servers.list(project)).map(({ key, provider: value }) => ({ key, value }))
    const all = [...points.all('models.provider'), ...named]
    const lists = all.map(async ({ key, value: provider }) => {
      if (key === undefined) return []
      const configured = await provider.configured(project)
      const spoken = (await provider.languageModels?.(project)) ?? []
      const chosen = usual?.key === key ? (usual.modelId ?? spoken[0]?.modelId) : undefined
      const languageModels = withChosen(spoken, chosen).map(
        (model): ListedModel => ({
          id: `${key}/${model.modelId}`,
          modelProvider: key,
          configured,
          ...shown(model),
          modalities: ['language'],
          dimensions: null,
          default: model.modelId === chosen
        })
      )
      return [...languageModels, ...(await embeddingModels.listOf(project, key, provider, configured))]
    })
    return pageOf('models', (await Promise.all(lists)).flat(), page)
  }

  return { checkProvider, choose, decide, resolve, list }
}

const speaks = (provider: ModelProvider): provider is Speaking =>
  provider.languageModel !== undefined && provider.languageModels !== undefined

/** The default may be a model that is in no list. */
function withChosen(models: readonly ModelInfo[], chosen: string | undefined): readonly ModelInfo[] {
  if (chosen === undefined || models.some(({ modelId }) => modelId === chosen)) return models
  return [infoOf(models, chosen), ...models]
}
