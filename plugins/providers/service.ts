import type { Kernel, Paging, Principal } from 'agent-platform'
import { conflict, invalid, notFound, pageOf } from 'agent-platform'
import type { Capability, CapabilityChoice, Wanted } from './contract.ts'
import type { CapabilityProvider } from './schemas.ts'

export type ProviderService = ReturnType<typeof createProviderService>

/** What serves each capability: asked of the packs that bring them. */
export function createProviderService({ points }: Pick<Kernel, 'points'>) {
  function find(key: string): Capability {
    const found = points.all('providers.capability').find((it) => it.key === key)?.value
    if (!found) throw notFound('Capability')
    return found
  }

  async function describe(
    project: string,
    key: string,
    { title, description, list, current, choice }: Capability
  ): Promise<CapabilityProvider> {
    const [options, inUse] = await Promise.all([list(project), current(project)])
    const { provider = null, modelId = null, source = null, configured = false } = inUse ?? {}
    return {
      capability: key,
      title,
      description,
      provider,
      modelId,
      source,
      configured,
      configurable: choice !== undefined,
      options: options.map(({ models, takes, ...rest }) => ({
        ...rest,
        models: [...models],
        takes: [...takes]
      })),
      version: inUse?.version ?? 0,
      updatedAt: inUse?.updatedAt ?? null
    }
  }

  async function list({ project }: Principal, page: Paging) {
    const { data, nextCursor } = pageOf('providers', points.all('providers.capability'), page)
    const described = data.flatMap(({ key, value }) =>
      key === undefined ? [] : describe(project, key, value)
    )
    return { data: await Promise.all(described), nextCursor }
  }

  function choiceOf(capability: Capability): CapabilityChoice {
    if (capability.choice) return capability.choice
    throw conflict(`Settings of the deployment decide on ${capability.title.toLowerCase()}`, {
      code: 'not_configurable'
    })
  }

  async function choose(by: Principal, key: string, wanted: Wanted, version?: number) {
    const capability = find(key)
    const choice = choiceOf(capability)
    const options = await capability.list(by.project)
    const option = options.find(({ provider }) => provider === wanted.provider)
    if (!option)
      throw invalid(
        '/provider',
        `There is no ${wanted.provider}; there are ${options.map(({ provider }) => provider).join(', ')}`
      )
    for (const name of ['apiKey', 'baseUrl'] as const)
      if (wanted[name] !== undefined && !option.takes.includes(name))
        throw invalid(`/${name}`, `${option.name} takes no ${name}`, 'not_configurable')
    await choice.choose(by, wanted, version)
    return describe(by.project, key, capability)
  }

  async function reset(by: Principal, key: string, version?: number) {
    await choiceOf(find(key)).reset(by, version)
    return { id: key, deleted: true as const }
  }

  return { list, choose, reset }
}
