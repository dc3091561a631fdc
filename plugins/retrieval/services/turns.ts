import { randomUUID } from 'node:crypto'
import type { Trx } from 'agent-platform'
import type { TurnStore } from '../stores/turns.ts'

export type Turns = ReturnType<typeof createTurns>
/** Aborts the signal of the work where its turn is over. */
export type Renew = () => Promise<void>

/** So long others wait for a job whose process died; who works says more often that it does. */
const SECONDS = 60
const RENEW_MS = 20_000

/** One job at the entries of a project at a time, over all instances: two would ask a model for the same ones. */
export function createTurns({ turnStore }: { turnStore: TurnStore }) {
  return {
    /** False where another job has the turn, or it was ended meanwhile. */
    async take(
      project: string,
      signal: AbortSignal,
      work: (signal: AbortSignal, renew: Renew) => Promise<void>
    ): Promise<boolean> {
      const holder = randomUUID()
      if (!(await turnStore.take(project, holder, SECONDS))) return false
      const over = new AbortController()
      const renew = async () => {
        if (!(await turnStore.update(project, holder, SECONDS))) over.abort()
      }
      // A database that is away for a moment is met by the work itself.
      const renewing = setInterval(() => renew().catch(() => undefined), RENEW_MS)
      try {
        await work(AbortSignal.any([signal, over.signal]), renew)
      } catch (error) {
        if (!over.signal.aborted) throw error
      } finally {
        clearInterval(renewing)
        await turnStore.remove(project, holder)
      }
      return !over.signal.aborted
    },

    /** Of whichever job has it, in the caller's transaction: another one may begin. */
    end: (trx: Trx, project: string): Promise<void> => turnStore.removeOf(trx, project)
  }
}
