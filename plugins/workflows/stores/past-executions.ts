import type { Kernel, Trx } from 'agent-platform'

export type PastExecutionStore = ReturnType<typeof createPastExecutionStore>

/** What is left of executions, and goes. */
export function createPastExecutionStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    listUnfinished: async (trx: Trx, project: string, workflowId: string): Promise<string[]> =>
      (await trx('workflows.execution').where({ project, workflowId }).whereNull('endedAt').select('id')).map(
        ({ id }) => id
      ),

    /** Of that owner, or of everybody. */
    listUnfinishedOf: (trx: Trx, project: string, owner?: string): Promise<string[]> =>
      trx('workflows.execution')
        .where({ project, ...(owner !== undefined && { owner }) })
        .whereNull('endedAt')
        .pluck('id'),

    listEnded: async (trx: Trx, project: string, workflowId: string, limit: number): Promise<string[]> =>
      (
        await trx('workflows.execution')
          .where({ project, workflowId })
          .whereNotNull('endedAt')
          .limit(limit)
          .select('id')
      ).map(({ id }) => id),

    remove: (trx: Trx, project: string, ids: readonly string[]): Promise<number> =>
      trx('workflows.execution')
        .where({ project })
        .whereIn('id', [...ids])
        .delete(),

    removeVersions: (trx: Trx, project: string, workflowId: string): Promise<number> =>
      trx('workflows.version').where({ project, workflowId }).delete(),

    /** Keys count for a day. */
    updateForgotten: (): Promise<number> =>
      knex('workflows.execution')
        .whereNotNull('requestKey')
        .andWhereRaw(`"createdAt" < now() - interval '1 day'`)
        .update({ requestKey: null, requestDigest: null })
  }
}
