import { Changes, Data } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const NewGoal = Type.Object(
  {
    agentId: Type.String({ description: 'The agent that works towards it' }),
    title: Type.String({ minLength: 1, maxLength: 200 })
  },
  { title: 'NewGoal' }
)
const Goal = Type.Object(
  {
    id: Type.String({ examples: ['goal_01k4qz0000e0080000000000ab'] }),
    owner: Type.String(),
    ...NewGoal.properties,
    progress: Type.Integer({ minimum: 0, maximum: 100, description: 'Per cent done' }),
    version: Type.Integer({ description: 'Counts edits; the ETag' }),
    createdAt: Type.String({ format: 'date-time' })
  },
  { title: 'Goal' }
)
const GoalChanges = Changes(Goal, ['title', 'progress'])
const params = Type.Object({ goalId: Type.String() })

export type Goal = Static<typeof Goal>
export type NewGoal = Static<typeof NewGoal>
export type GoalChanges = Static<typeof GoalChanges>

const tags = ['goals']
export const createGoal = {
  tags,
  summary: 'Create a goal',
  body: NewGoal,
  response: { 201: Data(Goal) }
}
export const readGoal = { tags, summary: 'Get a goal', params, response: { 200: Data(Goal) } }
export const updateGoal = {
  tags,
  summary: 'Update progress',
  params,
  body: GoalChanges,
  response: { 200: Data(Goal) }
}
