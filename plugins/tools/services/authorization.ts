import type { Kernel, Principal } from 'agent-platform'
import { forbidden, notFound } from 'agent-platform'
import type { AssignedTool, Grant } from '../rows.ts'
import type { AuthorizationStore, Candidate, GrantableTool } from '../stores/authorization.ts'
import type { EffectiveSubjects } from '../subjects.ts'
import { decide, subjectsOf, subjectsOfAgent, suffices } from '../subjects.ts'

export type Authorization = ReturnType<typeof createAuthorization>

interface Deps extends Pick<Kernel, 'points'> {
  authorizationStore: AuthorizationStore
}

/** A tool that a caller named; a static one, whose id is its name, has no row. */
export interface Resolved {
  readonly id: string
  readonly tool: GrantableTool | undefined
}

/** Of static tools. */
export const EVERYONES: Grant = { reason: 'static', level: 'use' }

/**
 * Who may use which tool: by owning it, by what the owner of an agent holds, or by a permission. Asked anew each time,
 * so that what was revoked is refused from then on. Static tools are everyone's; no principal crosses projects.
 */
export function createAuthorization({ points, authorizationStore }: Deps) {
  const staticNames = () => new Set(points.all('tools.static').map(({ key }) => key))
  const isStatic = (name: string) => points.all('tools.static').some(({ key }) => key === name)

  function accessOf(
    by: Principal,
    { assignment, tool, granted }: Candidate,
    statics: Set<string | undefined>
  ): AssignedTool {
    if (!tool) {
      const grant = statics.has(assignment.toolId) ? EVERYONES : null
      return { assignment, tool, principal: grant, agent: grant }
    }
    const agent = decide(subjectsOfAgent(by.project, assignment.agentId, assignment.owner), tool, granted)
    const isItself = by.type === 'agent' && by.id === assignment.agentId
    return { assignment, tool, principal: isItself ? agent : decide(subjectsOf(by), tool, granted), agent }
  }

  /** As far as it is known before the agent's owner is. */
  const subjectsOfCall = (by: Principal, agentId: string) => [
    subjectsOf(by),
    subjectsOfAgent(by.project, agentId, by.owner)
  ]

  /** All that the agent was assigned, allowed or not: one statement. */
  async function list(by: Principal, agentId: string): Promise<readonly AssignedTool[]> {
    const statics = staticNames()
    const candidates = await authorizationStore.list(by.project, agentId, subjectsOfCall(by, agentId))
    return candidates.map((candidate) => accessOf(by, candidate, statics))
  }

  /** What the agent was assigned under that id or name: one statement. */
  async function find(by: Principal, agentId: string, nameOrId: string): Promise<AssignedTool | undefined> {
    const candidate = await authorizationStore.find(
      by.project,
      agentId,
      subjectsOfCall(by, agentId),
      nameOrId
    )
    return candidate && accessOf(by, candidate, staticNames())
  }

  /** The grant of each of these tools; those that were not granted, or not there, are left out. One statement. */
  async function grants(
    effective: EffectiveSubjects,
    toolIds: readonly string[]
  ): Promise<ReadonlyMap<string, Grant>> {
    const found = new Map<string, Grant>()
    for (const { tool, granted } of await authorizationStore.listWithGrants(effective, toolIds)) {
      const grant = decide(effective, tool, granted)
      if (grant) found.set(tool.id, grant)
    }
    return found
  }

  async function why(effective: EffectiveSubjects, toolId: string): Promise<Grant | null> {
    if (isStatic(toolId)) return EVERYONES
    return (await grants(effective, [toolId])).get(toolId) ?? null
  }

  const granted = async (by: Principal, toolId: string, level: Grant['level']): Promise<boolean> =>
    suffices(await why(subjectsOf(by), toolId), level)

  async function usable(by: Principal, ids: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set((await grants(subjectsOf(by), ids)).keys())
  }

  /** Tools by id or name; 404 for what is not there, 403 for what is of another project, at its `param`. */
  async function resolveAll(
    by: Principal,
    wanted: readonly { toolId: string; param?: string | undefined }[]
  ) {
    const known = await authorizationStore.listNamed(by.project, [
      ...new Set(wanted.map(({ toolId }) => toolId))
    ])
    const byId = new Map(known.map((tool) => [tool.id, tool]))
    const byName = new Map(
      known.flatMap((tool) => (tool.project === by.project ? [[tool.name, tool] as const] : []))
    )
    const statics = staticNames()
    return wanted.map(({ toolId, param }): Resolved => {
      const tool = byId.get(toolId)
      if (tool && tool.project !== by.project)
        throw forbidden('You do not have access to this tool', { param, code: 'not_owner' })
      if (!tool && statics.has(toolId)) return { id: toolId, tool }
      const found = tool ?? byName.get(toolId)
      if (!found) throw notFound('Tool', { param })
      return { id: found.id, tool: found }
    })
  }

  async function resolve(by: Principal, toolId: string, param?: string): Promise<Resolved> {
    const [resolved] = await resolveAll(by, [{ toolId, param }])
    return resolved as Resolved
  }

  return { list, find, grants, why, granted, usable, resolve, resolveAll }
}
