import { Changes, Name, OrNull, Paging, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const status = Type.Enum(['open', 'done', 'abandoned'], {
  description: 'Default: done at 100 percent, otherwise open'
})
export const Goal = Type.Object(
  {
    id: Type.String({ examples: ['goal_01k4qz0000e0080000000000ab'] }),
    owner: Type.String(),
    agentId: Type.String({ description: 'The agent that works towards it' }),
    title: Name(),
    description: OrNull(Type.String({ maxLength: 5_000, description: 'Shown to the agent with the title' })),
    status,
    progress: Type.Integer({ minimum: 0, maximum: 100, description: 'Progress in percent' }),
    version: Type.Integer({ description: 'Version, incremented on each update; also the ETag' }),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'Goal' }
)
export const NewGoal = Type.Object(
  {
    ...Type.Pick(Goal, ['agentId', 'title']).properties,
    ...Type.Partial(Type.Pick(Goal, ['description', 'status', 'progress'])).properties
  },
  { title: 'NewGoal' }
)
export const GoalChanges = Changes(Goal, ['title', 'description', 'status', 'progress'])
export const GoalQuery = Type.Object({
  ...Paging,
  agentId: Type.Optional(Type.String({ description: 'Only those of this agent' })),
  status: Type.Optional(status)
})

export type Goal = Static<typeof Goal>
export type NewGoal = Static<typeof NewGoal>
export type GoalChanges = Static<typeof GoalChanges>
export type GoalQuery = Static<typeof GoalQuery>

export const goals = table('goals.goal', Goal)
