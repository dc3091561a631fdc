import type { Kernel } from 'agent-platform'
import { conflict, invalid } from 'agent-platform'
import type { MediaModel, MediaSource, Medium, ModelProvider, ProviderChoice } from '../contract.ts'
import { notConfigured } from '../providers/api-key-provider.ts'
import type { ModelSettings } from '../settings.ts'
import type { Choices } from './choices.ts'

export type MediaModelService = ReturnType<typeof createMediaModels>

interface Deps extends Pick<Kernel, 'points'> {
  settings: ModelSettings
  choices: Choices
}
export interface MediaDecision extends ProviderChoice {
  readonly source: 'project' | 'environment' | 'default'
}

const nothing = {
  transcription: 'No model writes down what is said: choose one',
  speech: 'No model speaks: choose one, or install espeak-ng',
  image: 'No model draws: choose one'
} as const

/** Which models a project has for what is heard, said and seen. */
export function createMediaModels({ points, settings, choices }: Deps) {
  const find = (key: string) => points.all('models.provider').find((it) => it.key === key)?.value
  const sourceOf = <M extends Medium>(provider: ModelProvider, medium: M) =>
    provider.media?.[medium] as MediaSource<M> | undefined
  const configured = (provider: ModelProvider, medium: Medium, project?: string): Promise<boolean> =>
    provider.media?.[medium]?.configured?.(project) ?? provider.configured(project)

  function common(medium: Medium): MediaDecision | undefined {
    const modelProvider = settings[`${medium}Provider`]
    const modelId = settings[`${medium}ModelId`] ?? null
    return modelProvider === undefined ? undefined : { modelProvider, modelId, source: 'environment' }
  }

  /** What the project chose, else the deployment, else the first that sends nothing anywhere. */
  async function decide(project: string, medium: Medium): Promise<MediaDecision | undefined> {
    const own = await choices.of(project, medium)
    if (own) return { modelProvider: own.modelProvider, modelId: own.modelId, source: 'project' }
    const said = common(medium)
    if (said) return said
    for (const { key, value } of points.all('models.provider'))
      if (key !== undefined && value.isLocal && value.media?.[medium])
        if (await configured(value, medium, project))
          return { modelProvider: key, modelId: null, source: 'default' }
    return undefined
  }

  async function media<M extends Medium>(
    project: string,
    medium: M,
    given?: ProviderChoice
  ): Promise<MediaModel<M>> {
    const choice = given ?? (await decide(project, medium))
    if (!choice) throw notConfigured(nothing[medium])
    const { modelProvider, modelId } = choice
    const provider = find(modelProvider)
    if (!provider)
      throw conflict(`There is no model provider ${modelProvider} any more`, {
        code: 'model_provider_unknown'
      })
    const source = sourceOf(provider, medium)
    if (!source)
      throw invalid('/modelProvider', `${modelProvider} has no models for ${medium}`, 'modality_missing')
    return { ...(await source.model(project, modelId)), modelProvider, isLocal: provider.isLocal === true }
  }

  return { media, decide, configured, sourceOf, find }
}
