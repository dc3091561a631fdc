import type { Kernel, Paging, Principal } from 'agent-platform'
import { conflict, forbidden, newId, notFound, owned } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { AssignmentRow } from '../rows.ts'
import type { AssignmentChanges, NewAssignment } from '../schemas/assignments.ts'
import { assignments } from '../schemas/assignments.ts'
import type { AssignmentStore } from '../stores/assignments.ts'
import type { AuthorizationStore } from '../stores/authorization.ts'
import type { Authorization } from './authorization.ts'

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
    const { policy = 'allow', enabled = true } = input
    const { id: toolId, tool } = await authorization.resolve(by, input.toolId, '/toolId')
    if (!(await authorization.granted(by, toolId, 'use'))) {
      // It may have gone meanwhile.
      await authorization.resolve(by, input.toolId, '/toolId')
      throw forbidden('The tool may be used by others only', { param: '/toolId', code: 'not_granted' })
    }
    return transaction(async (trx) => {
      if (!(await agents.takeShare(trx, project, [agentId]))) throw notFound('Agent')
      await assignmentStore.lockAgent(trx, project, agentId)
      if (tool && (await authorizationStore.take(trx, project, [toolId])).length === 0)
        throw notFound('Tool', { param: '/toolId' })
      const row = { id: newId('assign'), project, owner, agentId, toolId, policy, enabled }
      const assignment = await assignmentStore.insert(trx, row)
      if (!assignment) throw conflict('The agent has that tool already', { code: 'already_assigned' })
      if ((await assignmentStore.count(trx, project, agentId)) > MOST)
        throw conflict(`An agent has at most ${MOST} tools`, { code: 'too_many_tools' })
      await facts.record(trx, 'tools.assigned', by, { subject: agentId, owner, data: assignment })
      return assignment
    })
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

  return { list, assign, update, remove }
}
