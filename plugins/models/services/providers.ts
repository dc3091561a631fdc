import type { Kernel, Paging, Principal } from 'agent-platform'
import { current, invalid, newId, notFound, pageOf, trimEndOf } from 'agent-platform'
import type { Outgoing } from '../../outgoing/contract.ts'
import { shown } from '../catalogue.ts'
import type { Modality, ModelProvider, ProviderConfigured } from '../contract.ts'
import type { ModelProviderChanges, ModelProviderState } from '../schemas.ts'
import type { Configuration, ConfigurationStore } from '../stores/configurations.ts'
import { admitProjectWide } from './project-wide.ts'
import type { Configurations } from './provider-config.ts'

export type ProviderService = ReturnType<typeof createProviderService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts' | 'points'> {
  outgoing: Outgoing
  configurations: Configurations
  configurationStore: ConfigurationStore
  /** Those that take a key or an address. */
  keyedProviders: Readonly<Record<string, ModelProvider>>
}

const modalitiesOf = ({ languageModel, embeddingModel, media }: ModelProvider): Modality[] => [
  ...(languageModel ? (['language'] as const) : []),
  ...(embeddingModel ? (['embedding'] as const) : []),
  ...(Object.keys(media ?? {}) as Modality[])
]
const isSetUp = (row: Configuration | undefined) => row?.apiKey != null || row?.baseUrl != null

/** What a project has of its own for each provider: seen and changed by principals of the whole project. */
export function createProviderService(deps: Deps) {
  const { transaction, facts, points, outgoing, configurations, configurationStore, keyedProviders } = deps

  function find(key: string): ModelProvider {
    const provider = points.all('models.provider').find((it) => it.key === key)?.value
    if (!provider) throw notFound('Model provider')
    return provider
  }

  function findKeyed(key: string): ModelProvider {
    const provider = find(key)
    if (keyedProviders[key] === undefined)
      throw invalid('provider', `${provider.name} takes neither a key nor an address`, 'not_configurable')
    return provider
  }

  async function describe(
    project: string,
    id: string,
    value: ModelProvider,
    row: Configuration | undefined
  ): Promise<ModelProviderState> {
    const [configured, models = []] = await Promise.all([
      value.configured(project),
      value.languageModels?.(project)
    ])
    const source = isSetUp(row) ? 'project' : 'environment'
    return {
      id,
      name: value.name,
      configured,
      source: configured ? source : null,
      baseUrl: row?.baseUrl ?? null,
      apiKey: { set: row?.apiKey != null },
      modalities: modalitiesOf(value),
      models: models.map(shown),
      version: row?.version ?? 0,
      updatedAt: row?.updatedAt ?? null
    }
  }

  const rowsOf = async (project: string) =>
    new Map((await configurationStore.list(project)).map((row) => [row.provider, row]))

  async function list(by: Principal, page: Paging) {
    admitProjectWide(by)
    const rows = await rowsOf(by.project)
    const { data, nextCursor } = pageOf('model-providers', points.all('models.provider'), page)
    const states = data.flatMap(({ key, value }) =>
      key === undefined ? [] : describe(by.project, key, value, rows.get(key))
    )
    return { data: await Promise.all(states), nextCursor }
  }

  async function read(by: Principal, key: string) {
    admitProjectWide(by)
    return describe(by.project, key, find(key), (await rowsOf(by.project)).get(key))
  }

  async function update(by: Principal, key: string, changes: ModelProviderChanges, version?: number) {
    admitProjectWide(by)
    const provider = findKeyed(key)
    const { project, owner } = by
    const given = await accepted(project, key, changes)
    const row = await transaction(async (trx) => {
      await configurationStore.insert(trx, { id: newId('configuration'), project, owner, provider: key })
      const before = at(await configurationStore.take(trx, project, key), version)
      checkMove(before, given)
      if (!differs(before, given)) {
        if (before.version === 0) await configurationStore.remove(trx, before)
        return before.version === 0 ? undefined : before
      }
      const row = await configurationStore.update(trx, before, given)
      const fact = { subject: row.id, owner: row.owner, data: publishedOf(row) }
      await facts.record(trx, 'models.provider_configured', by, fact)
      return row
    })
    configurations.changed(project)
    return describe(project, key, provider, row)
  }

  /** What is to be stored: the key sealed, the address checked; what was not given stays as it is. */
  async function accepted(project: string, provider: string, { apiKey, baseUrl }: ModelProviderChanges) {
    const address = baseUrl == null ? baseUrl : trimEndOf(outgoing.check(baseUrl, '/baseUrl').href, '/')
    const sealed = typeof apiKey === 'string' ? await configurations.seal(project, provider, apiKey) : apiKey
    return {
      ...(address !== undefined && { baseUrl: address }),
      ...((typeof sealed === 'string' || sealed === null) && { apiKey: sealed })
    }
  }

  async function reset(by: Principal, key: string, version?: number) {
    admitProjectWide(by)
    findKeyed(key)
    const { project } = by
    await transaction(async (trx) => {
      const row = at(await configurationStore.take(trx, project, key), version)
      await configurationStore.remove(trx, row)
      const fact = { subject: row.id, owner: row.owner, data: { provider: key } }
      await facts.record(trx, 'models.provider_reset', by, fact)
    })
    configurations.changed(project)
  }

  /** The providers, and what of its own a project may give each. */
  const all = () =>
    points.all('models.provider').flatMap(({ key, value: provider }) => {
      const takes = keyedProviders[key ?? ''] ? (['apiKey', 'baseUrl'] as const) : []
      return key === undefined ? [] : [{ key, provider, takes }]
    })

  /** Sets a key or an address, and takes it back where what they are for fails. */
  async function tried(by: Principal, key: string, changes: Access, attempt: () => Promise<unknown>) {
    if (Object.keys(changes).length === 0) return void (await attempt())
    const { project } = by
    const before = (await rowsOf(project)).get(key)
    const { version } = await update(by, key, changes)
    try {
      await attempt()
    } catch (error) {
      await transaction(async (trx) => {
        const row = await configurationStore.take(trx, project, key)
        // An edit that came meanwhile stays.
        if (!row || row.version !== version) return
        const { apiKey = null, baseUrl = null } = before ?? {}
        if (before) await configurationStore.update(trx, row, { apiKey, baseUrl })
        else await configurationStore.remove(trx, row)
      })
      configurations.changed(project)
      throw error
    }
  }

  return { list, all, read, update, tried, reset }
}

type Access = Partial<Pick<ModelProviderChanges, 'apiKey' | 'baseUrl'>>

function at(row: Configuration | undefined, version: number | undefined): Configuration {
  if (!row) throw notFound('Configuration of the model provider')
  const matches = version === undefined || version === row.version
  return current(matches ? row : undefined, 'Configuration of the model provider', version)
}

/** An edit that changes nothing counts nothing. A key is another one each time that it is sealed. */
const differs = (before: Configuration, given: Partial<Pick<Configuration, 'apiKey' | 'baseUrl'>>): boolean =>
  (['apiKey', 'baseUrl'] as const).some((name) => given[name] !== undefined && given[name] !== before[name])

/** A key is for the address that it was given for: it is not sent elsewhere without being given again. */
function checkMove(before: Configuration, given: { baseUrl?: string | null; apiKey?: string | null }) {
  const moves = given.baseUrl !== undefined && given.baseUrl !== before.baseUrl
  if (moves && before.apiKey !== null && given.apiKey === undefined)
    throw invalid('/apiKey', 'With another address the key must be given again, or null', 'api_key_needed')
}

const publishedOf = ({ provider, baseUrl, apiKey, version }: Configuration): ProviderConfigured => ({
  provider,
  baseUrl,
  apiKey: { set: apiKey !== null },
  version
})
