import type { Fact, Kernel, Trx } from 'agent-platform'
import type { ProcessStore } from '../stores/processes.ts'
import type { RuntimeStore } from '../stores/runtimes.ts'
import type { TurnStore } from '../stores/turns.ts'
import type { RuntimeExecutor } from './executor.ts'
import type { Issuing } from './issuing.ts'
import type { Supervision } from './supervision.ts'
import type { Turns } from './turns.ts'

const BATCH = 500

interface Deps extends Pick<Kernel, 'transaction' | 'streams'> {
  runtimeStore: RuntimeStore
  processStore: ProcessStore
  turnStore: TurnStore
  turns: Turns
  issuing: Issuing
  supervision: Supervision
  runtimeExecutor: RuntimeExecutor
}

/** What of runtimes goes with their agents and with runs. */
export function createRemoval(deps: Deps) {
  const { transaction, streams, runtimeStore, processStore, turnStore, turns, issuing, supervision } = deps
  return {
    async agentDeleted({ project, subject: agentId }: Fact, trx: Trx): Promise<void> {
      const row = await runtimeStore.lock(trx, { project, agentId })
      if (!row) return
      const live = await processStore.listLive(trx, row)
      for (const { id } of await turnStore.listOfAgent(trx, project, agentId))
        await streams.remove(trx, project, id)
      for (const { id } of live) await streams.remove(trx, project, id)
      for (const { credentials } of live) await issuing.revoke(credentials)
      deps.runtimeExecutor.changed(project, agentId)
      supervision.stop(live, 'removed')
    },

    runsEnded: (facts: readonly Fact[], trx: Trx): Promise<void> =>
      turns.removeOfRuns(
        trx,
        facts.map(({ project, subject }) => [project, subject] as const)
      ),

    cleanUp: {
      async work(): Promise<void> {
        for (;;) {
          const old = await turnStore.listOld(BATCH)
          if (old.length === 0) return
          await transaction(async (trx) => {
            for (const turn of old) await turns.remove(trx, turn)
          })
        }
      },
      cron: '53 3 * * *'
    }
  }
}
