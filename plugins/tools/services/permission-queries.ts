import type { Principal, Searching } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { AssignedTool, Grant } from '../rows.ts'
import type { AccessibleTool, AgentCheck, Check } from '../schemas/permissions.ts'
import type { AuthorizationStore } from '../stores/authorization.ts'
import type { Subject } from '../subjects.ts'
import { subjectsOf, subjectsOfAgent, suffices } from '../subjects.ts'
import type { Authorization } from './authorization.ts'
import { EVERYONES } from './authorization.ts'
import type { SubjectService } from './subjects.ts'
import type { ToolService } from './tools.ts'
import { toolOf } from './tools.ts'

export type PermissionQueries = ReturnType<typeof createPermissionQueries>

interface Deps {
  agents: Agents
  authorization: Authorization
  authorizationStore: AuthorizationStore
  subjectService: SubjectService
  toolService: ToolService
}

interface Question extends Partial<Subject> {
  readonly toolId: string
  readonly level?: Grant['level']
}

const shown = ({ reason, level, permissionId }: Grant) => ({
  reason,
  level,
  permissionId: permissionId ?? null
})
const shownOrNull = (grant: Grant | null) => grant && shown(grant)

/** What clients ask of permissions; calls ask `access`. */
export function createPermissionQueries(deps: Deps) {
  const { agents, authorization, authorizationStore, subjectService, toolService } = deps

  /** Who manages a tool may ask about every subject, others about themselves and what is theirs. */
  async function check(by: Principal, { toolId, level = 'use', ...query }: Question): Promise<Check> {
    const subject = subjectService.given(query)
    const { id } = await authorization.resolve(by, toolId, 'toolId')
    if (subject && !(await authorization.granted(by, id, 'manage')))
      await subjectService.checkReach(by, subject)
    const grant = await authorization.why(
      subject ? await subjectService.effective(by, subject) : subjectsOf(by),
      id
    )
    if (!grant) return { allowed: false, reason: 'none', permissionId: null, level: null }
    const allowed = suffices(grant, level)
    return { allowed, ...shown(grant), ...(!allowed && { reason: 'level' }) }
  }

  async function checkAgent(by: Principal, agentId: string, nameOrId: string): Promise<AgentCheck> {
    const { project, owner } = await agents.owned(by, agentId, 'read', 'agentId')
    const { id } = await authorization.resolve(by, nameOrId, 'toolId')
    const found = await authorization.find(by, agentId, id)
    if (found) {
      const { assignment, principal, agent } = found
      const reason = reasonOf(found)
      const { policy } = assignment
      return {
        allowed: reason === 'allowed',
        reason,
        policy,
        principal: shownOrNull(principal),
        agent: shownOrNull(agent)
      }
    }
    const both = [subjectsOf(by), subjectsOfAgent(project, agentId, owner)]
    const [principal = null, agent = null] = await Promise.all(both.map((it) => authorization.why(it, id)))
    const none = { allowed: false, reason: 'not_assigned', policy: null } as const
    return { ...none, principal: shownOrNull(principal), agent: shownOrNull(agent) }
  }

  /** Registered ones, newest first, and after them the static ones by their names. */
  async function accessible(by: Principal, page: Searching) {
    const { limit = 20, cursor, query } = page
    const from = cursor === undefined ? undefined : fromStatic(cursor)
    const effective = subjectsOf(by)
    const { data: rows, nextCursor } =
      from === undefined
        ? await authorizationStore.listUsable(effective, page)
        : { data: [], nextCursor: null }
    const grants = await authorization.grants(
      effective,
      rows.map(({ id }) => id)
    )
    const registered = rows.flatMap((tool): AccessibleTool[] => {
      const grant = grants.get(tool.id)
      return grant ? [{ ...toolOf(tool), grant: shown(grant) }] : []
    })
    if (nextCursor !== null) return { data: registered, nextCursor }
    const room = limit - rows.length
    if (room === 0) {
      const isLast = toolService.listStatic({ limit: 1, query }).data.length === 0
      return { data: registered, nextCursor: isLast ? null : staticCursor('') }
    }
    const statics = toolService.listStatic({ limit: room, query, ...(from && { cursor: from }) })
    return {
      data: [...registered, ...statics.data.map((tool) => ({ ...tool, grant: shown(EVERYONES) }))],
      nextCursor: statics.nextCursor === null ? null : staticCursor(statics.nextCursor)
    }
  }

  return { check, checkAgent, accessible }
}

/** Such a cursor holds one of the list of static tools, if it does not stand before the first. */
const fromStatic = (cursor: string) => /^static (.*)$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1]
const staticCursor = (inner: string) => Buffer.from(`static ${inner}`).toString('base64url')

function reasonOf({ assignment, tool, principal, agent }: AssignedTool): AgentCheck['reason'] {
  if (!assignment.enabled) return 'disabled'
  if (assignment.policy === 'deny') return 'denied'
  if (!principal) return 'principal'
  if (!agent) return 'agent'
  return tool?.unavailable ? 'unavailable' : 'allowed'
}
