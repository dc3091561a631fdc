import type { Kernel, Principal, Searching, Verb } from 'agent-platform'
import { conflict, forbidden, invalid, newId, notFound, owned } from 'agent-platform'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { InjectedKey, ToolKey, Tools } from '../contract.ts'
import { faultOfLocation, inject } from '../credential-injection.ts'
import { hostOf, parseHost } from '../hosts.ts'
import type { KeyRow } from '../rows.ts'
import type { NewToolKey, Tested, ToolKeyChanges, ToolKeyTest } from '../schemas/keys.ts'
import { keys } from '../schemas/keys.ts'
import type { Injectable, MappingStore } from '../stores/mappings.ts'
import type { ConnectionCredentials } from './credentials.ts'

export type KeyService = ReturnType<typeof createKeyService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts' | 'vault'> {
  outgoing: Outgoing
  mappingStore: MappingStore
  connectionCredentials: ConnectionCredentials
}

const TEST_MS = 15_000

/** Enough to tell a key from others, too little to try the rest. */
const prefixOf = (value: string) => value.slice(0, Math.min(4, Math.floor(value.length / 4)))
/** What a fact says of a key. */
const shown = ({ project: _, sealed: __, ...key }: KeyRow): ToolKey => key

const rotated = (sealed: Pick<KeyRow, 'sealed' | 'prefix'> | undefined) =>
  sealed && { ...sealed, rotatedAt: new Date().toISOString() }

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
  const { knex, transaction, facts, vault, outgoing, mappingStore, connectionCredentials } = deps
  const secrets = vault.at('tools.tool_key')

  const seal = async (project: string, id: string, value: string) => ({
    sealed: await secrets.seal(project, id, value),
    prefix: prefixOf(value)
  })

  const open = ({ project, id, sealed }: Pick<KeyRow, 'project' | 'id' | 'sealed'>): Promise<string> =>
    secrets.open(project, id, sealed)

  const find = async (by: Principal, id: string, verb: Verb, param?: string) =>
    owned(by, await keys.find(knex, id), 'Tool key', verb, { param })

  async function create(by: Principal, { name, description = null, value, allowedHosts }: NewToolKey) {
    const { project, owner } = by
    const id = newId('tkey')
    const row = { id, project, owner, name, description, allowedHosts: hostsOf(allowedHosts) }
    const sealed = await seal(project, id, value)
    return transaction(async (trx) => {
      const key = await keys.insert(trx, { ...row, ...sealed })
      await facts.record(trx, 'tools.key_created', by, { subject: id, owner, data: shown(key) })
      return key
    })
  }

  /** None for an agent, which has no keys. */
  const list = async (by: Principal, page: Searching) =>
    by.type === 'agent' ? { data: [], nextCursor: null } : keys.list(knex, by, page)

  async function read(by: Principal, id: string) {
    const key = await find(by, id, 'read')
    return { ...key, mappings: await mappingStore.listUses(key.project, id) }
  }

  /** More hosts need the value again: who may edit a key need not have seen it. */
  async function update(by: Principal, id: string, { value, ...changes }: ToolKeyChanges, version?: number) {
    const { project, owner } = await find(by, id, 'change')
    const allowedHosts = changes.allowedHosts && hostsOf(changes.allowedHosts)
    const sealed = value === undefined ? undefined : await seal(project, id, value)
    return transaction(async (trx) => {
      const before = await keys.lock(trx, { project, id }, version)
      if (!sealed && allowedHosts?.some((host) => !before.allowedHosts.includes(host)))
        throw invalid('/value', '/value must be given again where hosts are added', 'value_required')
      const changed = { ...changes, ...(allowedHosts && { allowedHosts }), ...rotated(sealed) }
      const { row: key, isChanged } = await keys.update(trx, before, changed)
      if (!isChanged) return key
      await facts.record(trx, 'tools.key_updated', by, { subject: id, owner, data: shown(key) })
      if (sealed) await facts.record(trx, 'tools.key_rotated', by, { subject: id, owner, data: { id } })
      return key
    })
  }

  async function rotate(by: Principal, id: string, value: string, version?: number) {
    const { project, owner } = await find(by, id, 'change')
    const sealed = await seal(project, id, value)
    return transaction(async (trx) => {
      const { row: key } = await keys.update(trx, { project, id }, rotated(sealed) ?? {}, version)
      await facts.record(trx, 'tools.key_rotated', by, { subject: id, owner, data: { id } })
      return key
    })
  }

  /** Really calls. Nothing of the reply is passed on but its status. */
  async function test(by: Principal, id: string, order: ToolKeyTest | null): Promise<Tested> {
    const key = await find(by, id, 'change')
    const { url, method = 'GET', ...at } = { ...(await mappedAt(key)), ...order }
    if (url === undefined) throw invalid('/url', '/url is required where no tool has the key')
    const fault = faultOfLocation(at)
    if (fault) throw invalid('/name', `/name ${fault}`)
    const target = outgoing.check(url, '/url')
    if (!key.allowedHosts.includes(hostOf(target))) throw notAllowed(hostOf(target), '/url')
    const request = { url: target, headers: new Headers({ accept: '*/*' }) }
    inject(request, { ...at, value: await open(key) })
    const from = performance.now()
    const headers = [...request.headers]
    const sent = { method, headers, redirect: 'manual', timeoutMs: TEST_MS } as const
    const reply = await outgoing.fetch(request.url, sent)
    const milliseconds = Math.round(performance.now() - from)
    await reply.body?.cancel()
    return { ok: reply.ok, status: reply.status, milliseconds }
  }

  /** How the first of its tools that can be asked without arguments is called with it. */
  async function mappedAt({
    project,
    id
  }: KeyRow): Promise<ToolKeyTest & Required<Pick<ToolKeyTest, 'in' | 'name'>>> {
    for (const { in: part, name, url } of await mappingStore.listUses(project, id))
      if (part !== 'body' && url !== null && !url.includes('{{')) return { in: part, name, url }
    return { in: 'header', name: 'authorization' }
  }

  /** Gives what was using it: those calls are refused, rather than made without a credential. */
  async function remove(by: Principal, id: string, version?: number) {
    const { project, owner } = await find(by, id, 'change')
    return transaction(async (trx) => {
      await keys.remove(trx, { project, id }, version)
      const uses = await mappingStore.listUses(project, id, trx)
      const data = { id, mappings: uses.length }
      await facts.record(trx, 'tools.key_deleted', by, { subject: id, owner, data })
      return uses
    })
  }

  /** The keys of a tool, opened for one call; 409 where one of them is gone. */
  async function listInjected(project: string, toolId: string): Promise<readonly InjectedKey[]> {
    const rows = await mappingStore.listInjectable(project, toolId)
    return Promise.all(
      rows.map(async (row) => {
        const { id, keyId, in: part, name, sealed, allowedHosts } = row
        if (row.connectionId !== null) return injectedConnection(project, row)
        if (keyId === null || sealed === null || allowedHosts === null)
          throw conflict(`The key at ${part} ${name} of the tool was deleted, its mapping ${id} was not`, {
            code: 'key_missing'
          })
        return { keyId, in: part, name, allowedHosts, value: await open({ project, id: keyId, sealed }) }
      })
    )
  }

  async function injectedConnection(project: string, row: Injectable): Promise<InjectedKey> {
    const { id, owner, connectionId, scopes, in: part, name } = row
    const need = { id: connectionId ?? '', scopes }
    const opened = await connectionCredentials.openConnection({ project, owner }, need).catch((error) => {
      if (error?.kind !== 'notFound') throw error
      throw conflict(`The connection of the tool was deleted, its mapping ${id} was not`, {
        code: 'connection_missing'
      })
    })
    return { keyId: need.id, in: part, name, ...opened }
  }

  const openKey: Tools['openKey'] = async (by, keyId, to, param) => {
    const host = hostOf(to)
    const key = await keys.find(knex, keyId)
    if (!key) throw notFound('Tool key', { param })
    if (key.project !== by.project || key.owner !== by.owner)
      throw forbidden('You do not have access to this tool key', { param, code: 'not_owner' })
    if (!key.allowedHosts.includes(host)) throw notAllowed(host, param)
    return open(key)
  }

  return { create, list, find, read, update, rotate, test, remove, listInjected, openKey }
}
