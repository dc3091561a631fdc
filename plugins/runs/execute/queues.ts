import type { Kernel } from 'agent-platform'
import type { RunStore } from '../stores/runs.ts'

export type Queues = ReturnType<typeof createQueues>

interface Deps extends Pick<Kernel, 'executions' | 'log'> {
  runStore: RunStore
}

/** Runs of a session that stand behind another one. */
export function createQueues({ executions, log, runStore }: Deps) {
  /** Begins the one that is next in that session, or in each one, where no run is active. Never rejects. */
  async function beginNext(project?: string, sessionId?: string): Promise<void> {
    try {
      for (const id of await runStore.listNext(project, sessionId)) void executions.execute('run', id)
    } catch (error) {
      log.warn({ err: error }, 'the queue of a session is looked at again later')
    }
  }

  return { beginNext }
}
