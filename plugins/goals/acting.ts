import type { Kernel } from 'agent-platform'
import type { ContextSource } from '../runs/contract.ts'
import type { StaticTool } from '../tools/contract.ts'
import type { GoalChanges } from './schemas.ts'
import { goals } from './schemas.ts'
import type { GoalService } from './service.ts'

/** In a prompt: the latest open ones. */
const MOST = 20

/** What the agent works towards stands in its prompt. */
export function openGoals({ knex }: Pick<Kernel, 'knex'>): ContextSource {
  return {
    async context({ project, agentId }) {
      const query = knex(goals.name).where({ project, agentId, status: 'open' })
      const open = await query
        .orderBy('id', 'desc')
        .limit(MOST)
        .select('id', 'title', 'description', 'progress')
      const lines = open.map(({ id, title, description, progress }) =>
        [`- ${id} (${progress} %): ${title}`, ...(description ? [description] : [])].join('\n  ')
      )
      if (lines.length === 0) return undefined
      return { text: '', changing: `Your open goals:\n${lines.join('\n')}`, items: [] }
    }
  }
}

/** Reports progress as the principal of the run, to goals of the agent that runs. */
export function progressTool({ goalService }: { goalService: GoalService }): StaticTool {
  return {
    description: 'Say how far along you are with one of your open goals. At 100 per cent it is done.',
    parameters: {
      type: 'object',
      properties: {
        goalId: { type: 'string', description: 'As your list of open goals names it' },
        progress: { type: 'integer', minimum: 0, maximum: 100, description: 'Per cent done' }
      },
      required: ['goalId', 'progress'],
      additionalProperties: false
    },
    idempotent: true,
    async call({ by, agentId, args }) {
      const { goalId, ...changes } = args as { goalId: string } & GoalChanges
      const goal = await goalService.read(by, goalId)
      if (goal.agentId !== agentId) return { output: 'That goal is of another agent', isError: true }
      const { title, progress, status } = await goalService.update(by, goalId, changes)
      return { output: { title, progress, status } }
    }
  }
}
