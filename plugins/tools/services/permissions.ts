import type { Kernel, Paging, Principal, Trx } from 'agent-platform'
import { forbidden, invalid, newId, notFound, subjectOf } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { PermissionRow } from '../rows.ts'
import type { NewPermission } from '../schemas/permissions.ts'
import { permissions } from '../schemas/permissions.ts'
import type { AuthorizationStore, GrantableTool } from '../stores/authorization.ts'
import type { PermissionStore } from '../stores/permissions.ts'
import type { Subject } from '../subjects.ts'
import { decide, subjectsOf, suffices } from '../subjects.ts'
import type { Authorization } from './authorization.ts'
import type { SubjectService } from './subjects.ts'

export type PermissionService = ReturnType<typeof createPermissionService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts'> {
  agents: Agents
  authorization: Authorization
  authorizationStore: AuthorizationStore
  permissionStore: PermissionStore
  subjectService: SubjectService
}

const notManaged = ({ type }: Principal, param?: string) => {
  const at = param === undefined ? {} : { param }
  return type === 'agent'
    ? forbidden('Agents cannot grant or revoke tool permissions', { ...at, code: 'agent_principal' })
    : forbidden('The tool is managed by others', { ...at, code: 'not_granted' })
}

export function createPermissionService(deps: Deps) {
  const { knex, transaction, facts, agents, authorization, subjectService } = deps
  const { authorizationStore, permissionStore } = deps

  /** Which of the tools the principal manages, as the transaction sees it; their owners stay until its end. */
  async function takeManaged(trx: Trx, by: Principal, toolIds: readonly string[]) {
    const effective = subjectsOf(by)
    const tools = await authorizationStore.take(trx, by.project, toolIds)
    const all = await authorizationStore.listGranted(trx, effective, toolIds)
    const granted = Map.groupBy(all, ({ toolId }) => toolId)
    // What a model reads must not change what a principal may do.
    const manages = (tool: GrantableTool) =>
      by.type !== 'agent' && suffices(decide(effective, tool, granted.get(tool.id) ?? []), 'manage')
    return new Map(tools.map((tool) => [tool.id, { tool, isManaged: manages(tool) }]))
  }

  /** All or none; `at` says where in the body each of them stands. */
  async function grantAll(by: Principal, input: readonly NewPermission[], at: (index: number) => string) {
    const { project } = by
    const wanted = input.map(({ toolId }, index) => ({ toolId, param: `${at(index)}/toolId` }))
    const resolved = await authorization.resolveAll(by, wanted)
    const drafts = input.map(({ subjectType, subjectId, level }, index) => {
      const { id: toolId, tool } = resolved[index] as (typeof resolved)[number]
      if (!tool)
        throw forbidden('A static tool is everyone’s', { param: `${at(index)}/toolId`, code: 'static_tool' })
      if (subjectType === 'project' && subjectId !== project)
        throw forbidden('No principal crosses projects', {
          param: `${at(index)}/subjectId`,
          code: 'not_owner'
        })
      return { id: newId('perm'), project, toolId, subjectType, subjectId, level, grantedBy: by.owner }
    })
    refuseDoubles(drafts, at)
    return transaction(async (trx) => {
      const tools = await takeManaged(trx, by, [...new Set(drafts.map(({ toolId }) => toolId))])
      const rows = drafts.map((draft, index) => {
        const taken = tools.get(draft.toolId)
        if (!taken) throw notFound('Tool', { param: `${at(index)}/toolId` })
        if (!taken.isManaged) throw notManaged(by, `${at(index)}/toolId`)
        return { ...draft, owner: taken.tool.owner }
      })
      await takeAgents(trx, by, drafts, at)
      const written = await permissionStore.insert(trx, rows)
      for (const { isNew, ...data } of written)
        await facts.record(trx, 'tools.granted', by, { subject: data.toolId, owner: data.owner, data })
      const known = new Map((await permissionStore.listAt(trx, rows)).map((row) => [keyOf(row), row]))
      const made = new Set(written.flatMap(({ id, isNew }) => (isNew ? [id] : [])))
      return rows.map((row) => {
        const permission = known.get(keyOf(row)) as PermissionRow
        return { permission, isNew: made.has(permission.id) }
      })
    })
  }

  /** 404 or 403 for an agent that is not there to be granted anything; those that are stay until the end. */
  async function takeAgents(
    trx: Trx,
    by: Principal,
    subjects: readonly Subject[],
    at: (index: number) => string
  ) {
    const ids = subjects.flatMap(({ subjectType, subjectId }) => (subjectType === 'agent' ? [subjectId] : []))
    if (ids.length === 0 || (await agents.takeShare(trx, by.project, [...new Set(ids)]))) return
    for (const [index, { subjectType, subjectId }] of subjects.entries())
      if (subjectType === 'agent') await subjectService.ownerOf(by, subjectId, `${at(index)}/subjectId`)
    // One of them went just now.
    throw notFound('Agent', {
      param: `${at(subjects.findIndex((it) => it.subjectType === 'agent'))}/subjectId`
    })
  }

  /** Who manages the tool takes away any permission of it; a subject drops its own. */
  async function revoke(by: Principal, id: string, version?: number) {
    const found = await permissions.find(knex, id)
    if (!found) throw notFound('Tool permission')
    if (found.project !== by.project)
      throw forbidden('You do not have access to this tool permission', { code: 'not_owner' })
    const own = subjectOf(by)
    const isOwn = own.subjectType === found.subjectType && own.subjectId === found.subjectId
    await transaction(async (trx) => {
      const taken = (await takeManaged(trx, by, [found.toolId])).get(found.toolId)
      if (!isOwn && !taken?.isManaged) throw notManaged(by)
      const data = await permissions.remove(trx, found, version)
      await facts.record(trx, 'tools.revoked', by, { subject: data.toolId, owner: data.owner, data })
    })
  }

  async function listOfTool(by: Principal, nameOrId: string, page: Paging) {
    const { id, tool } = await authorization.resolve(by, nameOrId)
    if (!tool) throw forbidden('A static tool is everyone’s', { code: 'static_tool' })
    if (!(await authorization.granted(by, id, 'manage'))) throw notManaged(by)
    return permissionStore.listOfTool(by.project, id, page)
  }

  async function listOfSubject(by: Principal, subject: Partial<Subject>, page: Paging) {
    const whose = subjectService.given(subject) ?? subjectOf(by)
    await subjectService.checkReach(by, whose)
    return permissionStore.listOfSubject(by.project, whose, page)
  }

  async function grant(by: Principal, input: NewPermission) {
    const [granted] = await grantAll(by, [input], () => '')
    return granted as Awaited<ReturnType<typeof grantAll>>[number]
  }

  async function grantMany(by: Principal, input: readonly NewPermission[]) {
    const granted = await grantAll(by, input, (index) => `/grants/${index}`)
    const data = granted.map(({ permission }) => permission)
    return { data, isNew: granted.some(({ isNew }) => isNew) }
  }

  return { grant, grantMany, revoke, listOfTool, listOfSubject }
}

const keyOf = ({ toolId, subjectType, subjectId }: Subject & { toolId: string }) =>
  `${toolId} ${subjectType} ${subjectId}`

function refuseDoubles(drafts: readonly (Subject & { toolId: string })[], at: (index: number) => string) {
  const seen = new Set<string>()
  for (const [index, draft] of drafts.entries()) {
    if (seen.has(keyOf(draft)))
      throw invalid(at(index), 'Another of these grants names the same subject and tool', 'duplicate')
    seen.add(keyOf(draft))
  }
}
