import type { Kernel, Paging, Principal, Trx } from 'agent-platform'
import { conflict, forbidden, invalid, newId, notFound, owned } from 'agent-platform'
import type { InjectedKey } from '../contract.ts'
import { faultOfLocation } from '../credential-injection.ts'
import { hostOf } from '../hosts.ts'
import { keys } from '../schemas/keys.ts'
import type { NewToolKeyMapping } from '../schemas/mappings.ts'
import { mappings } from '../schemas/mappings.ts'
import type { MappingStore } from '../stores/mappings.ts'
import type { ToolStore } from '../stores/tools.ts'
import type { Authorization } from './authorization.ts'
import type { ConnectionCredentials } from './credentials.ts'
import type { KeyService } from './keys.ts'
import { notAllowed } from './keys.ts'

export type MappingService = ReturnType<typeof createMappingService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts'> {
  authorization: Authorization
  keyService: KeyService
  connectionCredentials: ConnectionCredentials
  mappingStore: MappingStore
  toolStore: ToolStore
}

type Of = 'toolId' | 'keyId' | 'connectionId'

const MOST = 20

/** Where the calls of a tool go, as far as its config says; a tool server has hosts of its own. */
function targetOf({ url, method }: Readonly<Record<string, unknown>>) {
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined
  const to = new URL(url)
  return { to, host: hostOf(to), hasBody: !/^(?:GET|HEAD)$/.test(String(method)) }
}

/** In one spelling, where the spelling makes no difference: of two keys in one header one would be lost. */
const nameAt = (part: InjectedKey['in'], name: string): string =>
  part === 'header' ? name.toLowerCase() : name

/** Which key goes with the calls of which tool. */
export function createMappingService(deps: Deps) {
  const { knex, transaction, facts, authorization, keyService, mappingStore, toolStore } = deps
  const { checkConnection } = deps.connectionCredentials

  async function map(by: Principal, order: NewToolKeyMapping) {
    const { keyId, connectionId, scopes = [], toolId: nameOrId, in: part = 'header' } = order
    const { name = part === 'header' ? 'authorization' : '' } = order
    const param = connectionId === undefined ? '/keyId' : '/connectionId'
    if ((keyId === undefined) === (connectionId === undefined))
      throw invalid(param, 'Either a /keyId or a /connectionId is needed')
    if (name === '') throw invalid('/name', '/name is required')
    if (connectionId !== undefined && part !== 'header')
      throw invalid('/in', 'A connection stands in a header')
    if (keyId !== undefined && scopes.length > 0) throw invalid('/scopes', 'A key has no scopes')
    const { project, owner } = keyId === undefined ? by : await keyService.find(by, keyId, 'change', param)
    const { id: toolId, tool } = await authorization.resolve(by, nameOrId, '/toolId')
    if (!tool) throw forbidden('Static tools take no keys', { param: '/toolId', code: 'static_tool' })
    await manages(by, toolId)
    const fault = faultOfLocation({ in: part, name })
    if (fault) throw invalid('/name', `/name ${fault}`)
    return transaction(async (trx) => {
      const current = await toolStore.lock(trx, project, toolId)
      if (!current) throw notFound('Tool', { param: '/toolId' })
      // It may have had another owner until it was locked.
      await manages(by, toolId)
      const target = targetOf(current.config)
      if (keyId !== undefined) await lockKey(trx, keyId, target?.host)
      if (connectionId !== undefined)
        await checkConnection(by, { id: connectionId, to: target?.to, scopes, param })
      if (target && part === 'body' && !target.hasBody) throw invalid('/in', 'The tool sends no body')
      if ((await mappingStore.count(trx, project, toolId)) >= MOST)
        throw conflict(`A tool takes at most ${MOST} keys`, { code: 'too_many_keys' })
      await mappingStore.removeOrphan(trx, { project, toolId, in: part, name: nameAt(part, name) })
      const what = { keyId: keyId ?? null, connectionId: connectionId ?? null, scopes }
      const row = { id: newId('tmap'), project, owner, ...what, toolId, in: part, name: nameAt(part, name) }
      const mapping = await mappingStore.insert(trx, row)
      if (!mapping) throw conflict(`The tool has a key at ${part} ${name} already`, { code: 'place_taken' })
      const { project: _, owner: __, createdAt: ___, ...data } = mapping
      await facts.record(trx, 'tools.key_mapped', by, { subject: keyId ?? connectionId ?? '', owner, data })
      return mapping
    })
  }

  /** It may go to that host, and stays as it is until the transaction ends. */
  async function lockKey(trx: Trx, keyId: string, host: string | undefined): Promise<void> {
    const key = await keys.find(trx, keyId)
    if (!key) throw notFound('Tool key', { param: '/keyId' })
    await keys.lock(trx, key, undefined)
    if (host !== undefined && !key.allowedHosts.includes(host)) throw notAllowed(host, '/toolId')
  }

  async function manages(by: Principal, toolId: string, param = '/toolId'): Promise<void> {
    if (await authorization.granted(by, toolId, 'manage')) return
    // 404 when it was deleted since it was found.
    await authorization.resolve(by, toolId, param)
    throw forbidden('You do not have access to this tool', { param, code: 'not_owner' })
  }

  /** Those of the caller, or all of a tool that the caller manages; none for an agent, which has none. */
  async function list(
    by: Principal,
    { toolId: nameOrId, keyId, connectionId, ...page }: Paging & Partial<Record<Of, string>>
  ) {
    if (nameOrId === undefined) {
      if (by.type === 'agent') return { data: [], nextCursor: null }
      return mappingStore.list({ project: by.project, owner: by.owner, keyId, connectionId }, page)
    }
    const { id: toolId, tool } = await authorization.resolve(by, nameOrId, 'toolId')
    if (!tool) return { data: [], nextCursor: null }
    await manages(by, toolId, 'toolId')
    return mappingStore.list({ project: by.project, toolId, keyId, connectionId }, page)
  }

  /** By the owner of the key, or by who manages the tool. */
  async function unmap(by: Principal, id: string) {
    const found = await mappings.find(knex, id)
    const granted = found?.project === by.project && (await authorization.granted(by, found.toolId, 'manage'))
    const { project, owner, keyId, connectionId, toolId } = owned(by, found, 'Tool key mapping', 'change', {
      granted
    })
    await transaction(async (trx) => {
      await mappings.remove(trx, { project, id })
      const data = { id, keyId, connectionId, toolId }
      const subject = keyId ?? connectionId ?? ''
      await facts.record(trx, 'tools.key_unmapped', by, { subject, owner, data })
    })
  }

  /** 403 or 400 when keys are mapped to the tool that could not go with it as it is to be. */
  async function checkLocations(
    project: string,
    toolId: string,
    config: Readonly<Record<string, unknown>>
  ): Promise<void> {
    const target = targetOf(config)
    for (const { allowedHosts, in: part, connectionId: id, owner, scopes } of target
      ? await mappingStore.listInjectable(project, toolId)
      : []) {
      if (id !== null)
        await checkConnection({ project, owner }, { id, to: target?.to, scopes, param: '/config/url' })
      if (target && !allowedHosts?.includes(target.host) && allowedHosts)
        throw notAllowed(target.host, '/config/url')
      if (target && part === 'body' && !target.hasBody)
        throw invalid('/config/method', 'A key is mapped into the body of the tool’s requests')
    }
  }

  return { map, list, unmap, checkLocations }
}
