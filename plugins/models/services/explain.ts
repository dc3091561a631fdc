import type { Kernel } from 'agent-platform'
import type { Explanation, ModelChoice } from '../contract.ts'
import { hosted, hostedKeys } from '../providers/hosted.ts'
import { ModelSettings } from '../settings.ts'
import type { Choices } from './choices.ts'
import type { ModelService } from './models.ts'
import type { Configurations } from './provider-config.ts'

interface Deps extends Pick<Kernel, 'packs'> {
  settings: ModelSettings
  configurations: Configurations
  choices: Choices
  modelService: ModelService
}

type Setting = keyof ModelSettings

/** What makes a provider configured for every project; the first that is set is the one that counts. */
const deciding: Readonly<Record<string, readonly Setting[]>> = {
  openai: ['openaiApiKey'],
  anthropic: ['anthropicApiKey'],
  google: ['googleApiKey', 'geminiApiKey'],
  'openai-compatible': ['openaiCompatibleBaseUrl'],
  ...Object.fromEntries(hostedKeys.map((key) => [key, [hosted[key].apiKey]]))
}

/** Why the model that answers is that one. */
export function createExplanations(deps: Deps) {
  const { packs, settings, configurations, choices, modelService } = deps

  async function explain(project: string, choice: ModelChoice): Promise<Explanation> {
    const { key, provider, modelId } = await modelService.choose(choice, project)
    const [configured, models] = await Promise.all([
      provider.configured(project),
      provider.languageModels(project)
    ])
    const why = await reasonOf(project, choice, key)
    return {
      modelProvider: key,
      providerName: provider.name,
      modelId: modelId ?? models[0]?.modelId ?? null,
      configured,
      reason: configured ? why : `${why}, but it is not configured${needs(key)}`
    }
  }

  /** In the order in which the choice is made. */
  async function reasonOf(project: string, choice: ModelChoice, key: string): Promise<string> {
    if (choice.modelProvider !== null || choice.modelId !== null) return 'the agent names it'
    if (await choices.of(project, 'language')) return `the project ${project} chose it`
    if (settings.modelProvider !== undefined) return `${await sourceOf('modelProvider')} says so`
    if (settings.modelId !== undefined) return `${await sourceOf('modelId')} says so`
    const own = (await configurations.of(project)).get(key)
    if (own && (own.apiKey !== null || own.baseUrl !== null)) return `the project ${project} configured it`
    if (key === 'local') return 'no key of a provider is set'
    const setting = deciding[key]?.find((name) => settings[name] !== undefined)
    return setting ? `${await sourceOf(setting)} is set` : 'it is the first that is configured'
  }

  /** The variable, where that is where the value comes from; else the setting. */
  async function sourceOf(name: Setting): Promise<string> {
    const { settings: shown } = await packs.show('models')
    const where = shown[name]?.from
    if (where === 'environment') return envOf(name)
    return `the setting models.${name}${where === 'table' ? '' : ' of the deployment'}`
  }

  return { explain }
}

const envOf = (name: Setting): string => String((ModelSettings.properties[name] as { env?: string }).env)

/** What would configure it. */
function needs(key: string): string {
  const names = deciding[key]?.map(envOf) ?? []
  return names.length > 0 ? `: set ${names.join(' or ')}` : ''
}
