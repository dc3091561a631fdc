import type { Gate, Runs, StartedRun } from '../../runs/contract.ts'
import type { NewPeerTask, PeerTaskStore } from '../stores/tasks.ts'

export type TaskGate = ReturnType<typeof createTaskGate>
type Start = Runs['start']

/** The message, or the task, came before. */
export class KnownMessage extends Error {}

interface Deps {
  runs: Runs
  peerTaskStore: PeerTaskStore
}

/** Has tasks recorded by the statement that begins their runs, so that a message costs no statement more than a run. */
export function createTaskGate({ runs, peerTaskStore }: Deps) {
  const beginning = new Map<string, NewPeerTask>()

  /** `KnownMessage` where it came before: then nothing has begun. */
  async function start(
    by: Parameters<Start>[0],
    row: NewPeerTask,
    order: Parameters<Start>[1]
  ): Promise<StartedRun> {
    beginning.set(row.id, row)
    try {
      return await runs.start(by, { ...order, id: row.id, isNew: true })
    } catch (error) {
      // What was refused was never a task.
      if (!(error instanceof KnownMessage)) await peerTaskStore.remove(row).catch(() => undefined)
      throw error
    } finally {
      beginning.delete(row.id)
    }
  }

  const gate: Gate = {
    reservations: {
      of: async ({ id }) => beginning.get(id),
      ahead: (rows) => ({ a2a_task: peerTaskStore.insertGiven(rows as NewPeerTask[]) }),
      refused: (rows) => peerTaskStore.listRefused(rows as NewPeerTask[]),
      async explain(_, row) {
        if (!(await peerTaskStore.find(row.id))) throw new KnownMessage()
      }
    }
  }

  return { start, gate }
}
