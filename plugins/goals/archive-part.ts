import type { Kernel } from 'agent-platform'
import { Closed } from 'agent-platform'
import type { Static } from 'typebox'
import type { ArchivePart } from '../archives/contract.ts'
import { Goal, goals } from './schemas.ts'
import type { GoalService } from './service.ts'

const { title, description, progress, status } = Goal.properties
const Record = Closed({ title, description, progress, status })

/** What the agent is working towards, the oldest first. */
export function goalPart({
  knex,
  goalService
}: Pick<Kernel, 'knex'> & { goalService: GoalService }): ArchivePart {
  return {
    version: 1,
    what: 'its goals',
    records: { goal: Record },

    async *export({ agent: { project, id } }) {
      const columns = ['title', 'description', 'progress', 'status']
      const rows = await knex(goals.name).where({ project, agentId: id }).orderBy('id').select(columns)
      for (const data of rows) yield { kind: 'goal', data }
    },

    async import({ by, agentId }, records) {
      for await (const { data } of records)
        await goalService.create(by, { agentId, ...(data as Static<typeof Record>) })
    }
  }
}
