import type { Kernel, Paging } from 'agent-platform'
import { conflict, invalid, pageOf } from 'agent-platform'
import { infoOf } from '../catalogue.ts'
import type { Model, ModelChoice, ModelInfo, ModelProvider } from '../contract.ts'
import { notConfigured } from '../providers/api-key-provider.ts'
import type { ListedModel } from '../schemas.ts'
import type { ModelSettings } from '../settings.ts'

export type ModelService = ReturnType<typeof createModelService>

interface Deps extends Pick<Kernel, 'points'> {
  settings: ModelSettings
}
interface Chosen {
  readonly key: string
  readonly provider: ModelProvider
  /** Null: the provider's default. */
  readonly modelId: string | null
}

/** Which model answers, and which there are. */
export function createModelService({ points, settings }: Deps) {
  const common: ModelChoice = {
    modelProvider: settings.modelProvider ?? null,
    modelId: settings.modelId ?? null
  }

  const providerKeys = () => points.all('models.provider').flatMap(({ key }) => key ?? [])

  function checkProvider(modelProvider: string, param: string): void {
    const known = providerKeys()
    if (known.includes(modelProvider)) return
    throw invalid(param, `There is no model provider ${modelProvider}; there are ${known.join(', ')}`)
  }

  function named(key: string, modelId: string | null): Chosen {
    const provider = points.all('models.provider').find((it) => it.key === key)?.value
    if (!provider)
      throw conflict(`There is no model provider ${key} any more`, { code: 'model_provider_unknown' })
    return { key, provider, modelId: modelId ?? (key === common.modelProvider ? common.modelId : null) }
  }

  /** The first provider that can answer. */
  async function first(project?: string): Promise<Chosen> {
    for (const { key, value: provider } of points.all('models.provider'))
      if (key !== undefined && (await provider.configured(project))) return { key, provider, modelId: null }
    throw notConfigured('No model provider is configured')
  }

  /** The first provider that can answer and is known to serve that model, if any. */
  async function serving(modelId: string, project?: string): Promise<Chosen | undefined> {
    for (const { key, value: provider } of points.all('models.provider')) {
      if (key === undefined || !(await provider.configured(project))) continue
      const known = await provider.models(project)
      if (known.some((it) => it.modelId === modelId)) return { key, provider, modelId }
    }
  }

  async function choose(choice: ModelChoice, project?: string): Promise<Chosen> {
    const isOpen = choice.modelProvider === null && choice.modelId === null
    const { modelProvider, modelId } = isOpen ? common : choice
    if (modelProvider !== null) return named(modelProvider, modelId)
    if (modelId === null) return first(project)
    const found = await serving(modelId, project)
    if (found) return found
    return common.modelProvider === null
      ? { ...(await first(project)), modelId }
      : named(common.modelProvider, modelId)
  }

  async function resolve(project: string, choice: ModelChoice): Promise<Model> {
    const { provider, modelId } = await choose(choice, project)
    return provider.model(project, modelId)
  }

  /** As a project has them; without one, what is the same for every project. */
  async function list(project: string | undefined, page: Paging) {
    const usual = await choose({ modelProvider: null, modelId: null }, project).catch(() => undefined)
    const lists = points.all('models.provider').map(async ({ key, value: provider }) => {
      if (key === undefined) return []
      const [models, configured] = await Promise.all([provider.models(project), provider.configured(project)])
      const chosen = usual?.key === key ? (usual.modelId ?? models[0]?.modelId) : undefined
      return withChosen(models, chosen).map(
        (model): ListedModel => ({
          id: `${key}/${model.modelId}`,
          modelProvider: key,
          ...model,
          configured,
          default: model.modelId === chosen
        })
      )
    })
    return pageOf('models', (await Promise.all(lists)).flat(), page)
  }

  return { checkProvider, choose, resolve, list }
}

/** The default may be a model that is in no list. */
function withChosen(models: readonly ModelInfo[], chosen: string | undefined): readonly ModelInfo[] {
  if (chosen === undefined || models.some(({ modelId }) => modelId === chosen)) return models
  return [infoOf(models, chosen), ...models]
}
