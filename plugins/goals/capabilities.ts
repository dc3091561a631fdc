import { Closed, Page, Paging } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Capability } from '../ui-plugins/contract.ts'
import { Goal, GoalChanges } from './schemas.ts'
import type { GoalService } from './service.ts'

interface Deps {
  goalService: GoalService
}

const { owner: _, ...shown } = Goal.properties
const AppGoal = Type.Object(shown)
const id = Type.String({ maxLength: 128 })
const ListParams = Closed({
  agentId: Type.Optional(Type.String({ maxLength: 128, description: 'Needed where the grant names agents' })),
  status: Type.Optional(Goal.properties.status),
  ...Paging
})
const ReadParams = Closed({ goalId: id })
const UpdateParams = Closed({
  goalId: id,
  ...Type.Pick(GoalChanges, ['title', 'description', 'status', 'progress']).properties
})

export const listCapability = ({ goalService }: Deps): Capability<Static<typeof ListParams>> => ({
  title: 'List goals',
  description: 'What agents are working towards, newest first, in pages',
  risk: 'low',
  reaches: 'Reads the goals of your agents',
  narrows: { to: 'agents', at: '/agentId' },
  params: ListParams,
  result: Page(AppGoal),
  idempotent: true,
  call: (by, query) => goalService.list(by, query)
})

export const readCapability = ({ goalService }: Deps): Capability<Static<typeof ReadParams>> => ({
  title: 'Read a goal',
  description: 'A goal of an agent, and how far along it is',
  risk: 'low',
  reaches: 'Reads the goals of your agents',
  narrows: { to: 'agents' },
  params: ReadParams,
  result: AppGoal,
  idempotent: true,
  async call(by, { goalId }, { within }) {
    const goal = await goalService.read(by, goalId)
    within(goal.agentId)
    return goal
  }
})

export const updateCapability = ({ goalService }: Deps): Capability<Static<typeof UpdateParams>> => ({
  title: 'Update a goal',
  description: 'Changes a goal, or says how far along it is; at 100 per cent it is done',
  risk: 'medium',
  reaches: 'Changes the goals of your agents, which the agents are told',
  narrows: { to: 'agents' },
  params: UpdateParams,
  result: AppGoal,
  async call(by, { goalId, ...changes }, { within }) {
    within((await goalService.read(by, goalId)).agentId)
    return goalService.update(by, goalId, changes)
  }
})
