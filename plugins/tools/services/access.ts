import type { Kernel, Principal } from 'agent-platform'
import { forbidden, notFound } from 'agent-platform'
import type { Holder } from '../holders.ts'
import { agentHolder, decide, holderOf, suffices } from '../holders.ts'
import type { Access, Grant } from '../rows.ts'
import type { AccessStore, Candidate, Held } from '../stores/access.ts'

export type AccessService = ReturnType<typeof createAccess>

interface Deps extends Pick<Kernel, 'points'> {
  accessStore: AccessStore
}

/** A tool that somebody named; a static one, whose id is its name, has no row. */
export interface Resolved {
  readonly id: string
  readonly tool: Held | undefined
}

/** Of static tools. */
export const EVERYONES: Grant = { reason: 'static', level: 'use' }

/**
 * Who may use which tool: by owning it, by what the owner of an agent holds, or by a permission. Asked anew each time,
 * so that what was revoked is refused from then on. Static tools are everyone's; nobody crosses projects.
 */
export function createAccess({ points, accessStore }: Deps) {
  const staticNames = () => new Set(points.all('tools.static').map(({ key }) => key))
  const isStatic = (name: string) => points.all('tools.static').some(({ key }) => key === name)

  function accessOf(
    by: Principal,
    { assignment, tool, granted }: Candidate,
    statics: Set<string | undefined>
  ): Access {
    if (!tool) {
      const grant = statics.has(assignment.toolId) ? EVERYONES : null
      return { assignment, tool, principal: grant, agent: grant }
    }
    const agent = decide(agentHolder(by.project, assignment.agentId, assignment.owner), tool, granted)
    const isItself = by.type === 'agent' && by.id === assignment.agentId
    return { assignment, tool, principal: isItself ? agent : decide(holderOf(by), tool, granted), agent }
  }

  /** As far as it is known before the agent's owner is. */
  const holders = (by: Principal, agentId: string) => [
    holderOf(by),
    agentHolder(by.project, agentId, by.owner)
  ]

  /** All that the agent was assigned, allowed or not: one statement. */
  async function list(by: Principal, agentId: string): Promise<readonly Access[]> {
    const statics = staticNames()
    const candidates = await accessStore.list(by.project, agentId, holders(by, agentId))
    return candidates.map((candidate) => accessOf(by, candidate, statics))
  }

  /** What the agent was assigned under that id or name: one statement. */
  async function find(by: Principal, agentId: string, nameOrId: string): Promise<Access | undefined> {
    const candidate = await accessStore.find(by.project, agentId, holders(by, agentId), nameOrId)
    return candidate && accessOf(by, candidate, staticNames())
  }

  /** The grant of each of these tools; those that are not held, or not there, are left out. One statement. */
  async function grants(holder: Holder, toolIds: readonly string[]): Promise<ReadonlyMap<string, Grant>> {
    const held = new Map<string, Grant>()
    for (const { tool, granted } of await accessStore.listHeld(holder, toolIds)) {
      const grant = decide(holder, tool, granted)
      if (grant) held.set(tool.id, grant)
    }
    return held
  }

  async function why(holder: Holder, toolId: string): Promise<Grant | null> {
    if (isStatic(toolId)) return EVERYONES
    return (await grants(holder, [toolId])).get(toolId) ?? null
  }

  const granted = async (by: Principal, toolId: string, level: Grant['level']): Promise<boolean> =>
    suffices(await why(holderOf(by), toolId), level)

  async function usable(by: Principal, ids: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set((await grants(holderOf(by), ids)).keys())
  }

  /** Tools by id or name; 404 for what is not there, 403 for what is of another project, at its `param`. */
  async function resolveAll(by: Principal, wanted: readonly { toolId: string; param: string }[]) {
    const known = await accessStore.listNamed(by.project, [...new Set(wanted.map(({ toolId }) => toolId))])
    const byId = new Map(known.map((tool) => [tool.id, tool]))
    const byName = new Map(
      known.flatMap((tool) => (tool.project === by.project ? [[tool.name, tool] as const] : []))
    )
    const statics = staticNames()
    return wanted.map(({ toolId, param }): Resolved => {
      const tool = byId.get(toolId)
      if (tool && tool.project !== by.project)
        throw forbidden('Tool belongs to someone else', { param, code: 'not_owner' })
      if (!tool && statics.has(toolId)) return { id: toolId, tool }
      const found = tool ?? byName.get(toolId)
      if (!found) throw notFound('Tool', { param })
      return { id: found.id, tool: found }
    })
  }

  async function resolve(by: Principal, toolId: string, param: string): Promise<Resolved> {
    const [resolved] = await resolveAll(by, [{ toolId, param }])
    return resolved as Resolved
  }

  return { list, find, grants, why, granted, usable, resolve, resolveAll }
}
