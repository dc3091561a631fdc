import type { ExecutionTable, Kernel, Trx } from 'agent-platform'
import type { ExecutionRecord } from './journal.ts'

export type Cancellations = ReturnType<typeof createCancellations>

/** As the manifest names them. */
export const EXECUTION = 'execution'
/** Why one is cancelled whose parent has given up the step that waits for it. */
export const BY_PARENT = 'parent'

interface Deps extends Pick<Kernel, 'transaction' | 'executions'> {
  executionTable: ExecutionTable<ExecutionRecord>
}

/** Cancels executions wherever they are. */
export function createCancellations({ transaction, executions, executionTable }: Deps) {
  /** In the caller's transaction; those that had not ended end soon after its commit. */
  async function cancelWith(trx: Trx, project: string, ids: readonly string[], reason: string) {
    const cancelled = await executionTable.cancel(trx, project, ids, reason)
    const abort = () => {
      for (const { id, ...whose } of cancelled) executions.cancel(EXECUTION, id, reason, whose)
    }
    trx.executionPromise.then(abort, () => undefined)
  }

  const cancel = (project: string, ids: readonly string[], reason: string): Promise<void> =>
    transaction((trx) => cancelWith(trx, project, ids, reason))

  return { cancel, cancelWith }
}
