import type { Kernel, Owned, Paging, Principal, Trx } from 'agent-platform'
import { conflict, forbidden, newId, notFound, owned } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Tools } from '../contract.ts'
import type { AssignmentRow } from '../rows.ts'
import type { AssignmentChanges, NewAssignment } from '../schemas/assignments.ts'
import { assignments } from '../schemas/assignments.ts'
import type { AssignmentStore } from '../stores/assignments.ts'
import type { AuthorizationStore } from '../stores/authorization.ts'
import type { Authorization, Resolved } from './authorization.ts'

export type AssignmentService = ReturnType<typeof createAssignmentService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  agents: Agents
  authorization: Authorization
  authorizationStore: AuthorizationStore
  assignmentStore: AssignmentStore
}

/** More would be more than models tell apart, and offered at every step. */
const MOST = 128
const STRICTNESS = { allow: 0, ask: 1, deny: 2 } as const

/** A tool that was found, how it is to be assigned, and where in the body it was named. */
interface Wanted extends Resolved, Pick<NewAssignment, 'policy' | 'enabled'> {
  readonly param: string
}

const notByModels = () =>
  forbidden('An agent gives itself no more than it was given', { code: 'agent_principal' })

const loosens = (
  from: Omit<AssignmentRow, 'toolName'>,
  { policy = from.policy, enabled = from.enabled }: AssignmentChanges
) => STRICTNESS[policy] < STRICTNESS[from.policy] || (enabled && !from.enabled)

export function createAssignmentService(deps: Deps) {
  const { transaction, facts, agents, authorization, authorizationStore, assignmentStore } = deps

  async function list(by: Principal, agentId: string, page: Paging) {
    const { project } = await agents.owned(by, agentId, 'read')
    return assignmentStore.list(project, agentId, page)
  }

  async function assign(by: Principal, agentId: string, input: NewAssignment) {
    const { project, owner } = await agents.owned(by, agentId, 'change')
    const found = await usable(by, input.toolId, '/toolId')
    return transaction(async (trx) => {
      if (!(await agents.takeShare(trx, project, [agentId]))) throw notFound('Agent')
      return give(trx, by, { project, owner, id: agentId }, { ...input, ...found, param: '/toolId' })
    })
  }

  async function usable(by: Principal, named: string, param: string): Promise<Resolved> {
    const found = await authorization.resolve(by, named, param)
    if (!(await authorization.granted(by, found.id, 'use'))) {
      // It may have gone meanwhile.
      await authorization.resolve(by, named, param)
      throw forbidden('The tool may be used by others only', { param, code: 'not_granted' })
    }
    return found
  }

  async function give(
    trx: Trx,
    by: Principal,
    { project, owner, id: agentId }: Owned & { readonly id: string },
    { id: toolId, tool, param, policy = 'allow', enabled = true }: Wanted
  ) {
    await assignmentStore.lockAgent(trx, project, agentId)
    if (tool && (await authorizationStore.take(trx, project, [toolId])).length === 0)
      throw notFound('Tool', { param })
    const row = { id: newId('assign'), project, owner, agentId, toolId, policy, enabled }
    const assignment = await assignmentStore.insert(trx, row)
    if (!assignment) throw conflict('The agent has that tool already', { code: 'already_assigned' })
    if ((await assignmentStore.count(trx, project, agentId)) > MOST)
      throw conflict(`An agent has at most ${MOST} tools`, { code: 'too_many_tools' })
    await facts.record(trx, 'tools.assigned', by, { subject: agentId, owner, data: assignment })
    return assignment
  }

  const prepareAssignments: Tools['prepareAssignments'] = async (by, tools, param) => {
    const wanted: Wanted[] = []
    for (const [index, input] of tools.entries()) {
      const at = `${param}/${index}/toolId`
      wanted.push({ ...input, ...(await usable(by, input.toolId, at)), param: at })
    }
    return async (trx, agent) => {
      for (const it of wanted) await give(trx, by, agent, it)
    }
  }

  async function find(by: Principal, id: string) {
    const found = owned(by, await assignmentStore.find(id), 'Tool assignment', 'change')
    await agents.owned(by, found.agentId, 'change')
    return found
  }

  async function update(by: Principal, id: string, changes: AssignmentChanges, version?: number) {
    const found = await find(by, id)
    const { owner, agentId, toolName } = found
    return transaction(async (trx) => {
      const before = await assignments.lock(trx, found, undefined)
      if (by.type === 'agent' && loosens(before, changes)) throw notByModels()
      const { row, isChanged } = await assignments.update(trx, before, changes, version)
      const data = { ...row, toolName }
      if (isChanged)
        await facts.record(trx, 'tools.assignment_updated', by, { subject: agentId, owner, data })
      return data
    })
  }

  async function remove(by: Principal, id: string, version?: number) {
    const found = await find(by, id)
    const { owner, agentId } = found
    await transaction(async (trx) => {
      await assignments.remove(trx, found, version)
      await facts.record(trx, 'tools.unassigned', by, { subject: agentId, owner, data: found })
    })
  }

  return { list, assign, prepareAssignments, update, remove }
}
