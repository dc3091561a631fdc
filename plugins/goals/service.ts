import type { Kernel, Principal, Verb } from 'agent-platform'
import { current, newId, notFound, owned } from 'agent-platform'
import type { Agents } from '../agents/contract.ts'
import type { GoalChanges, NewGoal } from './schemas.ts'
import type { GoalStore } from './store.ts'

export type GoalService = ReturnType<typeof createGoalService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  agents: Agents
  goalStore: GoalStore
}

export function createGoalService({ transaction, facts, agents, goalStore }: Deps) {
  async function create(by: Principal, input: NewGoal) {
    const { project, owner } = await agents.owned(by, input.agentId, 'change', '/agentId')
    return transaction(async (trx) => {
      if (!(await agents.takeShare(trx, project, [input.agentId])))
        throw notFound('Agent', { param: '/agentId' })
      const goal = await goalStore.insert(trx, { ...input, id: newId('goal'), project, owner })
      await facts.record(trx, 'goals.created', by, { subject: goal.id, owner, data: goal })
      return goal
    })
  }

  const find = async (by: Principal, id: string, verb: Verb) =>
    owned(by, await goalStore.find(id), 'Goal', verb)

  const read = (by: Principal, id: string) => find(by, id, 'read')

  async function update(by: Principal, id: string, changes: GoalChanges, version?: number) {
    const { project, owner, agentId } = await find(by, id, 'change')
    await agents.owned(by, agentId, 'read')
    return transaction(async (trx) => {
      const goal = current(await goalStore.update(trx, { project, id, version }, changes), 'Goal', version)
      await facts.record(trx, 'goals.updated', by, { subject: id, owner, data: goal })
      return goal
    })
  }

  return { create, read, update }
}
