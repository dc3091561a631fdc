import type { Kernel, Paging, Principal, Trx } from 'agent-platform'
import { conflict, current, forbidden, invalid, newId, owned, typeOfId } from 'agent-platform'
import type { StaticTool, Tool, ToolKind } from '../contract.ts'
import { holderOf } from '../holders.ts'
import { checkParameters } from '../parameters.ts'
import type { ToolRow } from '../rows.ts'
import type { NewTool, ToolChanges } from '../schemas/tools.ts'
import type { AccessStore } from '../stores/access.ts'
import type { AssignmentStore } from '../stores/assignments.ts'
import type { MappingStore } from '../stores/mappings.ts'
import type { PermissionStore } from '../stores/permissions.ts'
import type { ToolStore } from '../stores/tools.ts'
import type { AccessService } from './access.ts'
import type { MappingService } from './mappings.ts'

export type ToolService = ReturnType<typeof createToolService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts' | 'points'> {
  access: AccessService
  accessStore: AccessStore
  assignmentStore: AssignmentStore
  mappingService: MappingService
  mappingStore: MappingStore
  permissionStore: PermissionStore
  toolStore: ToolStore
}

/** Paths of their own, here or at other packs. */
const RESERVED = new Set(['static', 'index', 'public', 'calls'])
/** Also what has the shape of an id, by which a tool is found as well. */
export const isReserved = (name: string): boolean => RESERVED.has(name) || typeOfId(name) !== undefined
const NO_PARAMETERS = { type: 'object', properties: {} }

/** What a fact tells of a tool. */
export const told = ({ project: _, config: __, ...tool }: ToolRow): Omit<Tool, 'config'> => tool

export function createToolService(deps: Deps) {
  const { transaction, facts, points, access, accessStore, mappingService, toolStore } = deps

  const staticTool = (name: string) => points.all('tools.static').find(({ key }) => key === name)?.value

  /** A tool by its name or id: 404, and 403 for one that the principal may not use. */
  async function read(by: Principal, nameOrId: string): Promise<Tool> {
    const known = staticTool(nameOrId)
    if (known) return shown(nameOrId, known)
    return find(by, nameOrId, 'use')
  }

  async function find(by: Principal, nameOrId: string, level: 'use' | 'manage', trx?: Trx): Promise<ToolRow> {
    const isId = typeOfId(nameOrId) !== undefined
    const tool = await (isId ? toolStore.find(nameOrId, trx) : toolStore.findNamed(by.project, nameOrId, trx))
    const granted = tool?.project === by.project && (await access.granted(by, tool.id, level))
    // Access alone decides, or an owner's agent would change what it may only use.
    if (tool && !granted) throw forbidden('Tool belongs to someone else', { code: 'not_owner' })
    return owned(by, tool, 'Tool', level === 'use' ? 'read' : 'change', { granted })
  }

  const list = (by: Principal, { kind, ...page }: Paging & { kind?: string }) =>
    accessStore.listUsable(holderOf(by), page, kind)

  /** By name: they have no time at which they were made. */
  function listStatic({ limit = 20, cursor }: Paging) {
    const all = points
      .all('tools.static')
      .flatMap(({ key, value }) => (key === undefined ? [] : shown(key, value)))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
    const after = cursor === undefined ? '' : Buffer.from(cursor, 'base64url').toString()
    if (cursor !== undefined && !all.some(({ name }) => name === after))
      throw invalid('cursor', 'Not a cursor of this list')
    const rest = all.filter(({ name }) => name > after)
    const data = rest.slice(0, limit)
    const last = rest.length > limit ? data.at(-1) : undefined
    return { data, nextCursor: last ? Buffer.from(last.name).toString('base64url') : null }
  }

  /** 400 for a kind that nobody may register tools of. */
  function checkOf(kind: string): NonNullable<ToolKind['check']> {
    const found = points.all('tools.kind').find(({ key }) => key === kind)?.value
    if (found?.check) return (by, tool) => (found.check as NonNullable<ToolKind['check']>)(by, tool)
    throw invalid('/kind', found ? `Tools of kind ${kind} are not registered here` : '/kind is not known')
  }

  async function checkName(trx: Trx, project: string, name: string): Promise<void> {
    if (isReserved(name)) throw invalid('/name', `/name must be another one than ${name}`)
    if (staticTool(name) || (await toolStore.findNamed(project, name, trx)))
      throw conflict(`There is a tool ${name} already`, { code: 'name_taken' })
  }

  async function create(by: Principal, input: NewTool) {
    if (by.type === 'agent')
      throw forbidden('What an agent can do is decided by others', { code: 'agent_principal' })
    const { kind = 'http', parameters = NO_PARAMETERS, idempotent = false, name, description } = input
    const check = checkOf(kind)
    checkParameters(parameters)
    const config = (await check(by, { config: input.config, parameters })) as Record<string, unknown>
    const { project, owner } = by
    const row = { id: newId('tool'), project, owner, kind, name, description, parameters, config, idempotent }
    return transaction(async (trx) => {
      await toolStore.takeNames(trx, project)
      await checkName(trx, project, name)
      const tool = await toolStore.insert(trx, { ...row, unavailable: null })
      await facts.record(trx, 'tools.created', by, { subject: tool.id, owner, data: told(tool) })
      return tool
    })
  }

  /** The tool that a client may change; one that a pack keeps is that pack's to change. */
  async function findOwn(by: Principal, nameOrId: string, trx?: Trx): Promise<ToolRow> {
    if (staticTool(nameOrId)) throw forbidden('Static tools are nobody’s to change', { code: 'static_tool' })
    const tool = await find(by, nameOrId, 'manage', trx)
    const kept = !points.all('tools.kind').some(({ key, value }) => key === tool.kind && value.check)
    if (kept)
      throw conflict(`Tools of kind ${tool.kind} are kept by the pack that brought them`, {
        code: 'kept_by_pack'
      })
    return tool
  }

  async function update(by: Principal, nameOrId: string, changes: ToolChanges, version?: number) {
    const { project, id, kind } = await findOwn(by, nameOrId)
    const check = checkOf(kind)
    if (changes.parameters) checkParameters(changes.parameters)
    return transaction(async (trx) => {
      if (changes.name !== undefined) await toolStore.takeNames(trx, project)
      const before = current(await toolStore.take(trx, project, id), 'Tool', undefined)
      // It may have been handed to somebody else until it was held.
      await findOwn(by, id, trx)
      if (changes.name !== undefined && changes.name !== before.name)
        await checkName(trx, project, changes.name)
      const { parameters, config: given } = { ...before, ...changes }
      const config = (await check(by, { config: given, parameters })) as ToolRow['config']
      await mappingService.checkPlaces(project, id, config)
      const updated = await toolStore.update(trx, { project, id, version }, { ...changes, config })
      const tool = current(updated, 'Tool', version)
      await facts.record(trx, 'tools.updated', by, { subject: id, owner: tool.owner, data: told(tool) })
      return tool
    })
  }

  async function remove(by: Principal, nameOrId: string, version?: number) {
    const { project, id } = await findOwn(by, nameOrId)
    await transaction(async (trx) => {
      const before = await toolStore.take(trx, project, id)
      if (before) await findOwn(by, id, trx)
      current(version === undefined || before?.version === version ? before : undefined, 'Tool', version)
      await removeAll(trx, by, project, [id])
    })
    return id
  }

  /** With all that others were given of them. */
  async function removeAll(trx: Trx, by: Principal, project: string, ids: readonly string[]): Promise<void> {
    const removed = await toolStore.remove(trx, project, ids)
    const gone = removed.map(({ id }) => id)
    await deps.assignmentStore.removeOfTools(trx, project, gone)
    await deps.permissionStore.removeOfTools(trx, project, gone)
    await deps.mappingStore.removeOfTools(trx, project, gone)
    for (const { id, name, owner } of removed)
      await facts.record(trx, 'tools.deleted', by, { subject: id, owner, data: { id, name } })
  }

  return {
    list,
    listStatic,
    read,
    create,
    update,
    remove,
    removeAll,
    isStatic: (name: string) => !!staticTool(name)
  }
}

/** A static tool as others are shown. */
const shown = (name: string, { description, parameters, idempotent }: StaticTool): Tool => ({
  id: name,
  name,
  kind: 'static',
  description,
  parameters,
  config: {},
  idempotent,
  owner: null,
  unavailable: null,
  version: 1,
  createdAt: null,
  updatedAt: null
})
