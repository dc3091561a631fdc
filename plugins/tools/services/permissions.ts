import type { Kernel, Paging, Principal, Trx } from 'agent-platform'
import { forbidden, invalid, newId, notFound } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Subject } from '../holders.ts'
import { decide, holderOf, subjectOf, suffices } from '../holders.ts'
import type { PermissionRow } from '../rows.ts'
import type { NewPermission } from '../schemas/permissions.ts'
import type { AccessStore, Held } from '../stores/access.ts'
import type { PermissionStore } from '../stores/permissions.ts'
import type { AccessService } from './access.ts'
import type { SubjectService } from './subjects.ts'

export type PermissionService = ReturnType<typeof createPermissionService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  agents: Agents
  access: AccessService
  accessStore: AccessStore
  permissionStore: PermissionStore
  subjectService: SubjectService
}

const notManaged = ({ type }: Principal, param?: string) => {
  const at = param === undefined ? {} : { param }
  return type === 'agent'
    ? forbidden('Permissions are not an agent’s to give or take', { ...at, code: 'agent_principal' })
    : forbidden('The tool is managed by others', { ...at, code: 'not_granted' })
}

export function createPermissionService(deps: Deps) {
  const { transaction, facts, agents, access, accessStore, permissionStore, subjectService } = deps

  /** Which of the tools the principal manages, as the transaction sees it; their owners stay until its end. */
  async function takeManaged(trx: Trx, by: Principal, toolIds: readonly string[]) {
    const holder = holderOf(by)
    const tools = await accessStore.take(trx, by.project, toolIds)
    const all = await accessStore.listGranted(trx, holder, toolIds)
    const granted = Map.groupBy(all, ({ toolId }) => toolId)
    // What a model is told must not change what anybody may do.
    const manages = (tool: Held) =>
      by.type !== 'agent' && suffices(decide(holder, tool, granted.get(tool.id) ?? []), 'manage')
    return new Map(tools.map((tool) => [tool.id, { tool, isManaged: manages(tool) }]))
  }

  /** All or none; `at` says where in the body each of them stands. */
  async function grantAll(by: Principal, input: readonly NewPermission[], at: (index: number) => string) {
    const { project } = by
    const wanted = input.map(({ toolId }, index) => ({ toolId, param: `${at(index)}/toolId` }))
    const resolved = await access.resolveAll(by, wanted)
    const drafts = input.map(({ subjectType, subjectId, level }, index) => {
      const { id: toolId, tool } = resolved[index] as (typeof resolved)[number]
      if (!tool) throw invalid(`${at(index)}/toolId`, 'A static tool is everyone’s', 'static_tool')
      if (subjectType === 'project' && subjectId !== project)
        throw forbidden('Nobody crosses projects', { param: `${at(index)}/subjectId`, code: 'not_owner' })
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
      const known = new Map((await permissionStore.listAt(trx, rows)).map((row) => [placeOf(row), row]))
      const made = new Set(written.flatMap(({ id, isNew }) => (isNew ? [id] : [])))
      return rows.map((row) => {
        const permission = known.get(placeOf(row)) as PermissionRow
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

  /** Who manages the tool takes away any permission of it; everybody drops his own. */
  async function revoke(by: Principal, id: string) {
    const found = await permissionStore.find(id)
    if (!found) throw notFound('Tool permission')
    if (found.project !== by.project)
      throw forbidden('Tool permission belongs to someone else', { code: 'not_owner' })
    const own = subjectOf(by)
    const isOwn = own.subjectType === found.subjectType && own.subjectId === found.subjectId
    await transaction(async (trx) => {
      const taken = (await takeManaged(trx, by, [found.toolId])).get(found.toolId)
      if (!isOwn && !taken?.isManaged) throw notManaged(by)
      const data = await permissionStore.remove(trx, by.project, id)
      if (!data) return
      await facts.record(trx, 'tools.revoked', by, { subject: data.toolId, owner: data.owner, data })
    })
  }

  async function listOfTool(by: Principal, nameOrId: string, page: Paging) {
    const { id, tool } = await access.resolve(by, nameOrId, 'toolId')
    if (!tool) throw forbidden('A static tool is everyone’s', { code: 'static_tool' })
    if (!(await access.granted(by, id, 'manage'))) throw notManaged(by)
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
    return granted.map(({ permission }) => permission)
  }

  return { grant, grantMany, revoke, listOfTool, listOfSubject }
}

const placeOf = ({ toolId, subjectType, subjectId }: Subject & { toolId: string }) =>
  `${toolId} ${subjectType} ${subjectId}`

function refuseDoubles(drafts: readonly (Subject & { toolId: string })[], at: (index: number) => string) {
  const seen = new Set<string>()
  for (const [index, draft] of drafts.entries()) {
    if (seen.has(placeOf(draft)))
      throw invalid(at(index), 'Another of these grants names the same subject and tool', 'duplicate')
    seen.add(placeOf(draft))
  }
}
