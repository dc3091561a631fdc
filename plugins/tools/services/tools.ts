import type { Kernel, Paging, Principal, Searching, Trx } from 'agent-platform'
import { conflict, forbidden, invalid, newId, owned, pageOf, reachOwner, typeOfId } from 'agent-platform'
import type { StaticTool, Tool, ToolKind } from '../contract.ts'
import { checkParameters } from '../parameters.ts'
import type { ToolRow } from '../rows.ts'
import type { NewTool, ToolChanges } from '../schemas/tools.ts'
import { tools } from '../schemas/tools.ts'
import type { AssignmentStore } from '../stores/assignments.ts'
import type { AuthorizationStore } from '../stores/authorization.ts'
import type { MappingStore } from '../stores/mappings.ts'
import type { PermissionStore } from '../stores/permissions.ts'
import type { ToolStore } from '../stores/tools.ts'
import { nameTaken } from '../stores/tools.ts'
import { subjectsOf } from '../subjects.ts'
import type { Authorization } from './authorization.ts'
import type { MappingService } from './mappings.ts'

export type ToolService = ReturnType<typeof createToolService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts' | 'points'> {
  authorization: Authorization
  authorizationStore: AuthorizationStore
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

/** A registered tool as it is shown. */
export const toolOf = ({ project: _, ...tool }: ToolRow): Tool => ({
  ...tool,
  available: tool.unavailable === null
})
const namesOf = (kinds: readonly { readonly key?: string }[]): string =>
  kinds
    .map(({ key }) => key)
    .sort()
    .join(', ')

/** As facts have it: without its config. */
export function summaryOf(row: ToolRow): Omit<Tool, 'config'> {
  const { config: _, ...tool } = toolOf(row)
  return tool
}

export function createToolService(deps: Deps) {
  const { knex, transaction, facts, points, authorization, authorizationStore } = deps
  const { mappingService, toolStore } = deps

  const staticTool = (name: string) => points.all('tools.static').find(({ key }) => key === name)?.value

  /** A tool by its name or id: 404, and 403 for one that the principal may not use. */
  async function read(by: Principal, nameOrId: string): Promise<Tool> {
    const known = staticTool(nameOrId)
    if (known) return staticToolOf(nameOrId, known)
    return toolOf(await find(by, nameOrId, 'use'))
  }

  async function find(by: Principal, nameOrId: string, level: 'use' | 'manage', trx?: Trx): Promise<ToolRow> {
    const isId = typeOfId(nameOrId) !== undefined
    const tool = await (isId
      ? tools.find(trx ?? knex, nameOrId)
      : toolStore.findNamed(by.project, nameOrId, trx))
    const granted = tool?.project === by.project && (await authorization.granted(by, tool.id, level))
    // Access alone decides, or an owner's agent would change what it may only use.
    if (tool && !granted) throw forbidden('You do not have access to this tool', { code: 'not_owner' })
    return owned(by, tool, 'Tool', level === 'use' ? 'read' : 'change', { granted })
  }

  async function list(by: Principal, query: Searching & { kind?: string; owner?: string }) {
    const { kind, owner, ...page } = query
    const kinds = points.all('tools.kind')
    if (kind !== undefined && !kinds.some(({ key }) => key === kind))
      throw invalid('kind', `kind must be one of ${namesOf(kinds)}`)
    const { data, nextCursor } = await authorizationStore.listUsable(subjectsOf(by), page, { kind, owner })
    if (owner !== undefined && data.length === 0) {
      const ofAnyKind = await authorizationStore.listUsable(subjectsOf(by), { limit: 1 }, { owner })
      reachOwner(by, owner, 'owner', { granted: ofAnyKind.data.length > 0 })
    }
    return { data: data.map(toolOf), nextCursor }
  }

  /** By name: they have no time at which they were made. */
  function listStatic({ query = '', ...page }: Paging & { query?: string | undefined }) {
    const all = points
      .all('tools.static')
      .flatMap(({ key, value }) => (key === undefined ? [] : staticToolOf(key, value)))
      .filter((it) => `${it.name}\n${it.description}`.toLowerCase().includes(query.toLowerCase()))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
    return pageOf('static', all, page)
  }

  /** 400 for a kind of which clients register no tools. */
  function checkOf(kind: string): NonNullable<ToolKind['check']> {
    const kinds = points.all('tools.kind').filter(({ value }) => value.check)
    const found = kinds.find(({ key }) => key === kind)?.value
    if (found?.check) return (by, tool) => (found.check as NonNullable<ToolKind['check']>)(by, tool)
    throw invalid('/kind', `/kind must be one of ${namesOf(kinds)}`)
  }

  function checkName(name: string): void {
    if (isReserved(name)) throw invalid('/name', `/name must be another one than ${name}`)
    if (staticTool(name)) throw nameTaken(name)
  }

  /** The config as it is to be kept; 400 for what is no tool. */
  async function examine(by: Principal, { kind = 'http', parameters = NO_PARAMETERS, config }: NewTool) {
    const check = checkOf(kind)
    await checkParameters(by, parameters)
    return (await check(by, { config, parameters })) as Record<string, unknown>
  }

  async function create(by: Principal, input: NewTool, id = newId('tool')) {
    const { kind = 'http', parameters = NO_PARAMETERS, idempotent = false, name, description } = input
    checkOf(kind)
    checkName(name)
    const config = await examine(by, input)
    const { project, owner } = by
    const row = { id, project, owner, kind, name, description, parameters, config, idempotent }
    return transaction(async (trx) => {
      const [tool] = await toolStore.insert(trx, [{ ...row, unavailable: null }])
      if (!tool) throw nameTaken(name)
      await facts.record(trx, 'tools.created', by, { subject: tool.id, owner, data: summaryOf(tool) })
      return toolOf(tool)
    })
  }

  /** The tool that a client may change; one that a pack keeps is that pack's to change. */
  async function findOwn(by: Principal, nameOrId: string, trx?: Trx): Promise<ToolRow> {
    if (staticTool(nameOrId)) throw forbidden('Static tools cannot be changed', { code: 'static_tool' })
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
    if (changes.parameters) await checkParameters(by, changes.parameters)
    return transaction(async (trx) => {
      const before = await tools.lock(trx, { project, id }, undefined)
      // It may have had another owner until it was locked.
      await findOwn(by, id, trx)
      if (changes.name !== undefined && changes.name !== before.name) checkName(changes.name)
      const { parameters, config: given } = { ...before, ...changes }
      const config = (await check(by, { config: given, parameters })) as ToolRow['config']
      await mappingService.checkLocations(project, id, config)
      const wanted = { ...changes, ...(changes.config && { config }) }
      const { row, isChanged } = await toolStore.update(trx, before, wanted, version)
      if (isChanged)
        await facts.record(trx, 'tools.updated', by, { subject: id, owner: row.owner, data: summaryOf(row) })
      return toolOf(row)
    })
  }

  async function remove(by: Principal, nameOrId: string, version?: number) {
    const { project, id } = await findOwn(by, nameOrId)
    await transaction(async (trx) => {
      await tools.lock(trx, { project, id }, undefined)
      await findOwn(by, id, trx)
      await tools.lock(trx, { project, id }, version)
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
    examine,
    create,
    update,
    remove,
    removeAll,
    isStatic: (name: string) => !!staticTool(name)
  }
}

/** A static tool as registered ones are shown. */
const staticToolOf = (name: string, { description, parameters, idempotent }: StaticTool): Tool => ({
  id: name,
  name,
  kind: 'static',
  description,
  parameters,
  config: {},
  idempotent,
  owner: null,
  available: true,
  unavailable: null,
  version: 1,
  createdAt: null,
  updatedAt: null
})
