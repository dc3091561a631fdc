import type { Kernel, Paging, Principal } from 'agent-platform'
import { conflict, current, invalid, newId, notFound, pageOf, trimEndOf } from 'agent-platform'
import type { Outgoing } from '../../outgoing/contract.ts'
import { isServer, keyOfServer, nameOfServer } from '../providers/servers.ts'
import type { NewServer, Server, ServerChanges } from '../server-schemas.ts'
import type { Configuration, ConfigurationStore } from '../stores/configurations.ts'
import { admitProjectWide } from './project-wide.ts'
import type { Configurations, Header } from './provider-config.ts'

export type ServerService = ReturnType<typeof createServerService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  outgoing: Outgoing
  configurations: Configurations
  configurationStore: ConfigurationStore
}

const MOST = 50
const WHAT = 'Model server'
/** What the client itself says. */
const RESERVED: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade'
])

/** Servers of chat completions of a project: seen and changed by principals of the whole project. */
export function createServerService(deps: Deps) {
  const { transaction, facts, outgoing, configurations, configurationStore } = deps

  const all = async (project: string) =>
    (await configurationStore.list(project))
      .filter(({ provider, version }) => isServer(provider) && version > 0)
      .sort((one, other) => (one.provider < other.provider ? -1 : 1))

  async function show(row: Configuration): Promise<Server> {
    const headers = await configurations.headersOf(row)
    return {
      id: row.provider,
      name: nameOfServer(row.provider),
      baseUrl: row.baseUrl ?? '',
      apiKey: { set: row.apiKey !== null },
      headers: headers.map(({ name, value, secret }) => ({ name, value: secret ? null : value, secret })),
      models: [...(row.models ?? [])],
      version: row.version,
      updatedAt: row.updatedAt
    }
  }

  async function find(project: string, name: string): Promise<Configuration> {
    const found = (await all(project)).find(({ provider }) => provider === keyOfServer(name))
    if (!found) throw notFound(WHAT)
    return found
  }

  async function list(by: Principal, page: Paging) {
    admitProjectWide(by)
    const { data, nextCursor } = pageOf('model-servers', await all(by.project), page)
    return { data: await Promise.all(data.map(show)), nextCursor }
  }

  async function read(by: Principal, name: string) {
    admitProjectWide(by)
    return show(await find(by.project, name))
  }

  async function create(by: Principal, { name, ...given }: NewServer) {
    admitProjectWide(by)
    const { project, owner } = by
    const provider = keyOfServer(name)
    const before = await all(project)
    if (before.length >= MOST)
      throw conflict(`The project has ${MOST} model servers, the maximum. Delete one first.`, {
        code: 'too_many_servers'
      })
    const changes = await sealed(project, provider, given, [])
    const row = await transaction(async (trx) => {
      await configurationStore.insert(trx, { id: newId('configuration'), project, owner, provider })
      const made = await configurationStore.take(trx, project, provider)
      if (!made || made.version > 0)
        throw conflict(`A model server named ${name} already exists`, { code: 'name_taken', param: '/name' })
      return store(trx, by, made, changes)
    })
    configurations.changed(project)
    return show(row)
  }

  async function update(by: Principal, name: string, given: ServerChanges, version?: number) {
    admitProjectWide(by)
    const { project } = by
    const found = await find(project, name)
    const known = await configurations.headersOf(found)
    checkMove(found, known, given)
    const changes = await sealed(project, found.provider, given, known)
    const row = await transaction(async (trx) =>
      store(trx, by, at(await configurationStore.take(trx, project, found.provider), found, version), changes)
    )
    configurations.changed(project)
    return show(row)
  }

  async function remove(by: Principal, name: string, version?: number) {
    admitProjectWide(by)
    const found = await find(by.project, name)
    await transaction(async (trx) => {
      const row = at(await configurationStore.take(trx, by.project, found.provider), undefined, version)
      await configurationStore.remove(trx, row)
      const fact = { subject: row.id, owner: row.owner, data: { provider: row.provider } }
      await facts.record(trx, 'models.provider_reset', by, fact)
    })
    configurations.changed(by.project)
    return found.provider
  }

  async function store(
    trx: Parameters<ConfigurationStore['take']>[0],
    by: Principal,
    before: Configuration,
    changes: Parameters<ConfigurationStore['update']>[2]
  ) {
    const row = await configurationStore.update(trx, before, changes)
    const { provider, baseUrl, apiKey, version } = row
    const data = { provider, baseUrl, apiKey: { set: apiKey !== null }, version }
    await facts.record(trx, 'models.provider_configured', by, { subject: row.id, owner: row.owner, data })
    return row
  }

  /** What is to be stored: the address checked, what is secret sealed. */
  async function sealed(
    project: string,
    provider: string,
    { baseUrl, apiKey, headers, models }: ServerChanges,
    known: readonly Header[]
  ) {
    const kept = headers && headersOf(headers, known)
    return {
      ...(baseUrl !== undefined && { baseUrl: trimEndOf(outgoing.check(baseUrl, '/baseUrl').href, '/') }),
      ...(apiKey !== undefined && {
        apiKey: apiKey === null ? null : await configurations.seal(project, provider, apiKey)
      }),
      ...(kept && {
        headers: kept.length === 0 ? null : await configurations.sealHeaders(project, provider, kept)
      }),
      ...(models && { models: distinct(models) })
    }
  }

  return { list, read, create, update, remove }
}

function at(row: Configuration | undefined, found: Configuration | undefined, version: number | undefined) {
  if (!row) throw notFound(WHAT)
  // What was kept of its headers was read before.
  const isSame = found === undefined || row.version === found.version
  const matches = isSame && (version === undefined || version === row.version)
  return current(matches ? row : undefined, WHAT, version ?? found?.version)
}

function headersOf(given: NonNullable<ServerChanges['headers']>, known: readonly Header[]): Header[] {
  const names = new Set<string>()
  return given.map(({ name: written, value, secret = false }, index) => {
    const name = written.toLowerCase()
    const param = `/headers/${index}`
    if (RESERVED.has(name)) throw invalid(`${param}/name`, `${param}/name: ${name} cannot be set`)
    if (names.has(name)) throw invalid(`${param}/name`, `${param}/name: ${name} is given twice`)
    names.add(name)
    const before = known.find((it) => it.name === name && it.secret && secret)?.value
    const kept = value ?? before
    if (kept === undefined) throw invalid(`${param}/value`, `${param}/value is required`)
    return { name, value: kept, secret }
  })
}

function distinct(models: NonNullable<ServerChanges['models']>) {
  const twice = models.findIndex(({ modelId }, at) =>
    models.some((it, i) => i < at && it.modelId === modelId)
  )
  if (twice >= 0) throw invalid(`/models/${twice}/modelId`, `/models/${twice}/modelId is given twice`)
  return models
}

/** Secrets are for the address that they were given for. */
function checkMove(before: Configuration, known: readonly Header[], given: ServerChanges) {
  if (given.baseUrl === undefined || trimEndOf(given.baseUrl, '/') === before.baseUrl) return
  const keepsKey = before.apiKey !== null && given.apiKey === undefined
  const keepsSecret = known.some(
    (it) =>
      it.secret &&
      (given.headers === undefined ||
        given.headers.some(({ name, value }) => name.toLowerCase() === it.name && value == null))
  )
  if (keepsKey || keepsSecret)
    throw invalid(
      keepsKey ? '/apiKey' : '/headers',
      'With another address the key and all secret headers must be given again, or removed',
      'api_key_needed'
    )
}
