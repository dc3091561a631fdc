import type { Kernel, Trx } from 'agent-platform'
import { lockName } from 'agent-platform'
import type { FeedbackRow } from '../schemas/feedback.ts'
import { feedbacks } from '../schemas/feedback.ts'

export type FeedbackStore = ReturnType<typeof createFeedbackStore>

export function createFeedbackStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    findOfRun: (project: string, runId: string): Promise<FeedbackRow | undefined> =>
      knex(feedbacks.name)
        .where({ project, runId })
        .first(...feedbacks.columns),

    /** What was said of the run, if anything was; whoever else says something waits until the transaction ends. */
    async lockOfRun(trx: Trx, project: string, runId: string): Promise<FeedbackRow | undefined> {
      await lockName(trx, feedbacks.name, project, runId)
      return trx(feedbacks.name)
        .where({ project, runId })
        .first(...feedbacks.columns)
    }
  }
}
