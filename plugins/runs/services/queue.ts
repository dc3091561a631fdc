import type { Kernel } from 'agent-platform'
import type { RunStore } from '../stores/runs.ts'
import type { Driver } from './driver.ts'

export type Queue = ReturnType<typeof createQueue>

interface Deps extends Pick<Kernel, 'log'> {
  runStore: RunStore
  driver: Driver
}

/** Runs that wait for others of their session. */
export function createQueue({ log, runStore, driver }: Deps) {
  /** Begins what waits in that session, or in any, where nothing runs. Never rejects. */
  async function next(project?: string, sessionId?: string): Promise<void> {
    try {
      for (const id of await runStore.listNext(project, sessionId)) void driver.drive(id)
    } catch (error) {
      log.warn({ err: error }, 'the queue of a session is looked at again later')
    }
  }
  return { next }
}
