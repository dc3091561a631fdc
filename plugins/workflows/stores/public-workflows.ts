import type { Kernel, PageOf, Searching } from 'agent-platform'
import { paginate } from 'agent-platform'
import { summaries } from '../schemas/workflows.ts'

export type PublicWorkflowStore = ReturnType<typeof createPublicWorkflowStore>

export function createPublicWorkflowStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    /** Those of all projects: the one list that goes across them. */
    listPublic: (page: Searching): Promise<PageOf<NonNullable<Awaited<ReturnType<typeof summaries.find>>>>> =>
      paginate(
        knex(summaries.name)
          .where({ visibility: 'public' })
          .select(...summaries.columns),
        page,
        'workflow',
        ['name', 'description']
      )
  }
}
