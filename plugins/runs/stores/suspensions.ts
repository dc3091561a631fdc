import type { Trx } from 'agent-platform'
import type { StoredRun } from './row.ts'

export type SuspensionStore = ReturnType<typeof createSuspensionStore>

// Something may come from outside, whatever there is to do besides.
const pendingText = `exists (
    select from runs.call c where c.project = run.project and c."runId" = run.id and c."endedAt" is null
      and (c."callerDeadline" is not null or c."approvalDeadline" is not null and c.approved is null))
  or exists (
    select from runs.question q where q.project = run.project and q."runId" = run.id and q.action is null)`

/** Whether the last that was told of a run is that it waits. */
export function createSuspensionStore() {
  const at = (trx: Trx, { project, id }: Pick<StoredRun, 'project' | 'id'>) =>
    trx('runs.run').where({ project, id }).whereNull('endedAt')

  return {
    /** False when it was told before. */
    updateSuspended: async (trx: Trx, run: Pick<StoredRun, 'project' | 'id'>): Promise<boolean> =>
      (await at(trx, run).where({ suspended: false }).update({ suspended: true })) === 1,

    /** False while something is pending, and when it was not told that it waits. */
    updateResumed: async (trx: Trx, run: Pick<StoredRun, 'project' | 'id'>): Promise<boolean> =>
      (await at(trx, run)
        .where({ suspended: true })
        .whereRaw(`not (${pendingText})`)
        .update({ suspended: false })) === 1
  }
}
