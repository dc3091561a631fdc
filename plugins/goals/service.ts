import type { Kernel, Principal } from 'agent-platform'
import { recordedEdits } from 'agent-platform'
import type { Agents } from '../agents/contract.ts'
import type { Goal, GoalChanges, GoalQuery, NewGoal } from './schemas.ts'
import { goals } from './schemas.ts'

export type GoalService = ReturnType<typeof createGoalService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts'> {
  agents: Agents
}

export function createGoalService({ knex, transaction, facts, agents }: Deps) {
  const names = { updated: 'goals.updated', deleted: 'goals.deleted' } as const
  const edits = recordedEdits({ transaction, facts }, goals, names)

  function create(by: Principal, { description = null, progress = 0, ...input }: NewGoal) {
    const goal = { status: statusAt(progress), ...input, description, progress }
    return agents.createChild(by, goals, goal, 'goals.created')
  }

  async function list(by: Principal, { agentId, status, ...page }: GoalQuery) {
    if (agentId !== undefined) await agents.owned(by, agentId, 'read', 'agentId')
    return goals.list(knex, by, page, { agentId, status })
  }

  const read = (by: Principal, id: string) => goals.owned(knex, by, id, 'read')

  async function update(by: Principal, id: string, changes: GoalChanges, version?: number) {
    const found = await goals.owned(knex, by, id, 'change')
    await agents.owned(by, found.agentId, 'read')
    const { progress, status = progress === undefined ? undefined : statusAt(progress) } = changes
    return edits.update(by, found, { ...changes, status }, version)
  }

  const remove = async (by: Principal, id: string, version?: number) =>
    edits.remove(by, await goals.owned(knex, by, id, 'change'), version)

  return { create, list, read, update, remove }
}

const statusAt = (progress: number): Goal['status'] => (progress === 100 ? 'done' : 'open')
