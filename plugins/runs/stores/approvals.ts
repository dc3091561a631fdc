import type { Kernel, Trx } from 'agent-platform'

export type ApprovalStore = ReturnType<typeof createApprovalStore>

interface ApprovalRow {
  readonly project: string
  readonly sessionId: string
  readonly owner: string
  readonly approvalFor: string
  readonly approvedBy: string
}

/** What was approved for the rest of a session. */
export function createApprovalStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    async list(project: string, sessionId: string): Promise<ReadonlySet<string>> {
      return new Set(await knex('runs.approval').where({ project, sessionId }).pluck('approvalFor'))
    },
    insert: async (trx: Trx, row: ApprovalRow): Promise<void> => {
      await trx('runs.approval').insert(row).onConflict(['project', 'sessionId', 'approvalFor']).ignore()
    },
    removeOfSession: (trx: Trx, project: string, sessionId: string): Promise<number> =>
      trx('runs.approval').where({ project, sessionId }).delete()
  }
}
