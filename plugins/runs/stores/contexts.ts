import type { Kernel } from 'agent-platform'
import type { StoredRun } from './row.ts'

export type ContextStore = ReturnType<typeof createContextStore>

/** What was moved out of the prompts of runs, and what stands for it. */
export function createContextStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    /** What a call of a session gave. */
    async findResult(
      project: string,
      sessionId: string,
      id: string
    ): Promise<{ output: unknown } | undefined> {
      const { rows } = await knex.raw(
        `select c.output from runs.call c join runs.run r on r.project = c.project and r.id = c."runId"
          where c.project = ? and c.id = ? and r."sessionId" = ? and c."endedAt" is not null`,
        [project, id, sessionId]
      )
      return rows[0]
    },

    async updateSummary(
      { project, id }: Pick<StoredRun, 'project' | 'id'>,
      step: number,
      summary: string
    ): Promise<void> {
      await knex('runs.step').where({ project, runId: id, step }).update({ summary })
    }
  }
}
