import type { Kernel, Paging, Principal, Verb } from 'agent-platform'
import { current, forbidden, invalid, newId, notFound, owned, unavailable } from 'agent-platform'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { PlacedKey, ToolKey, Tools } from '../contract.ts'
import { hostOf, parseHost } from '../hosts.ts'
import { faultOfPlace, place } from '../placing.ts'
import type { KeyRow } from '../rows.ts'
import type { NewToolKey, Tested, ToolKeyChanges, ToolKeyTest } from '../schemas/keys.ts'
import type { KeyStore } from '../stores/keys.ts'
import type { MappingStore } from '../stores/mappings.ts'

export type KeyService = ReturnType<typeof createKeyService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts' | 'vault'> {
  outgoing: Outgoing
  keyStore: KeyStore
  mappingStore: MappingStore
}

const TEST_MS = 15_000

const placeOf = (id: string) => `tools.tool_key/${id}`
/** Enough to tell a key from others, too little to try the rest. */
const prefixOf = (value: string) => value.slice(0, Math.min(4, Math.floor(value.length / 4)))
/** What a fact tells of a key. */
const told = ({ project: _, version: __, sealed: ___, ...key }: KeyRow): ToolKey => key

export const notAllowed = (host: string, param?: string) =>
  forbidden(`The key does not name ${host} as a host that it may be sent to`, {
    code: 'host_not_allowed',
    param
  })

function hostsOf(allowedHosts: readonly string[]): string[] {
  const hosts = allowedHosts.map((text, index) => {
    const host = parseHost(text)
    if (host === undefined)
      throw invalid(`/allowedHosts/${index}`, `/allowedHosts/${index} must be a host, or a host with a port`)
    return host
  })
  return [...new Set(hosts)]
}

/** Credentials for tools: sealed where they lie, opened for a call to a host that they name. */
export function createKeyService(deps: Deps) {
  const { transaction, facts, vault, outgoing, keyStore, mappingStore } = deps

  const seal = async (project: string, id: string, value: string) => ({
    sealed: await vault.seal(project, placeOf(id), value),
    prefix: prefixOf(value)
  })

  async function open({ project, id, sealed }: Pick<KeyRow, 'project' | 'id' | 'sealed'>): Promise<string> {
    try {
      return await vault.open(project, placeOf(id), sealed)
    } catch (error) {
      throw unavailable(`The key ${id} cannot be opened`, { code: 'key_unreadable', cause: error })
    }
  }

  const find = async (by: Principal, id: string, verb: Verb, param?: string) =>
    owned(by, await keyStore.find(id), 'Tool key', verb, { param })

  async function create(by: Principal, { name, description = null, value, allowedHosts }: NewToolKey) {
    if (by.type === 'agent') throw forbidden('An agent keeps no credentials', { code: 'agent_principal' })
    const { project, owner } = by
    const id = newId('tkey')
    const row = { id, project, owner, name, description, allowedHosts: hostsOf(allowedHosts) }
    const sealed = await seal(project, id, value)
    return transaction(async (trx) => {
      const key = await keyStore.insert(trx, { ...row, ...sealed })
      await facts.record(trx, 'tools.key_created', by, { subject: id, owner, data: told(key) })
      return key
    })
  }

  const list = (by: Principal, page: Paging) => keyStore.list(by, page)

  async function read(by: Principal, id: string) {
    const key = await find(by, id, 'read')
    return { ...key, mappings: await mappingStore.listUses(key.project, id) }
  }

  /** More hosts need the value again: who may edit a key need not have seen it. */
  async function update(by: Principal, id: string, { value, ...changes }: ToolKeyChanges) {
    const { project, owner } = await find(by, id, 'change')
    const allowedHosts = changes.allowedHosts && hostsOf(changes.allowedHosts)
    const sealed = value === undefined ? undefined : await seal(project, id, value)
    return transaction(async (trx) => {
      const before = current(await keyStore.take(trx, project, id), 'Tool key', undefined)
      if (!sealed && allowedHosts?.some((host) => !before.allowedHosts.includes(host)))
        throw invalid('/value', '/value must be given again where hosts are added', 'value_required')
      const changed = { ...changes, ...(allowedHosts && { allowedHosts }) }
      const updated = await keyStore.update(trx, { project, id }, changed, sealed)
      const key = current(updated, 'Tool key', undefined)
      await facts.record(trx, 'tools.key_updated', by, { subject: id, owner, data: told(key) })
      if (sealed) await facts.record(trx, 'tools.key_rotated', by, { subject: id, owner, data: { id } })
      return key
    })
  }

  async function rotate(by: Principal, id: string, value: string) {
    const { project, owner } = await find(by, id, 'change')
    const sealed = await seal(project, id, value)
    return transaction(async (trx) => {
      const updated = await keyStore.update(trx, { project, id }, {}, sealed)
      const key = current(updated, 'Tool key', undefined)
      await facts.record(trx, 'tools.key_rotated', by, { subject: id, owner, data: { id } })
      return key
    })
  }

  /** Really calls. Nothing of the reply is told but its status. */
  async function test(
    by: Principal,
    id: string,
    { url, method = 'GET', ...at }: ToolKeyTest
  ): Promise<Tested> {
    const key = await find(by, id, 'change')
    const fault = faultOfPlace(at)
    if (fault) throw invalid('/name', `/name ${fault}`)
    const target = outgoing.check(url, '/url')
    if (!key.allowedHosts.includes(hostOf(target))) throw notAllowed(hostOf(target), '/url')
    const request = { url: target, headers: new Headers({ accept: '*/*' }) }
    place(request, { ...at, value: await open(key) })
    const from = performance.now()
    const headers = [...request.headers]
    const order = { method, headers, redirect: 'manual', timeoutMs: TEST_MS } as const
    const reply = await outgoing.fetch(request.url, order)
    const milliseconds = Math.round(performance.now() - from)
    await reply.body?.cancel()
    return { ok: reply.ok, status: reply.status, milliseconds }
  }

  /** Gives what was using it. */
  async function remove(by: Principal, id: string) {
    const { project, owner } = await find(by, id, 'change')
    return transaction(async (trx) => {
      current(await keyStore.remove(trx, project, id), 'Tool key', undefined)
      const uses = await mappingStore.listUses(project, id, trx)
      await mappingStore.removeOfKey(trx, project, id)
      const data = { id, mappings: uses.length }
      await facts.record(trx, 'tools.key_deleted', by, { subject: id, owner, data })
      return uses
    })
  }

  /** The keys of a tool, opened for one call. */
  async function placed(project: string, toolId: string): Promise<readonly PlacedKey[]> {
    const rows = await mappingStore.listPlaced(project, toolId)
    return Promise.all(
      rows.map(async ({ sealed, ...key }) => ({
        ...key,
        value: await open({ project, id: key.keyId, sealed })
      }))
    )
  }

  const openKey: Tools['openKey'] = async (by, keyId, to, param) => {
    const host = hostOf(to)
    const key = await keyStore.find(keyId)
    if (!key) throw notFound('Tool key', { param })
    if (key.project !== by.project || key.owner !== by.owner)
      throw forbidden('Tool key belongs to someone else', { param, code: 'not_owner' })
    if (!key.allowedHosts.includes(host)) throw notAllowed(host, param)
    return open(key)
  }

  return { create, list, find, read, update, rotate, test, remove, placed, openKey }
}
