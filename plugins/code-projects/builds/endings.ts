import type { Kernel, Principal, Trx } from 'agent-platform'
import { afterCommit } from 'agent-platform'
import type { BuildRow } from './schemas.ts'
import type { BuildStore } from './store.ts'

export type Endings = ReturnType<typeof createEndings>

const ENDED = 'code-projects.build_ended'
const CANCEL = 'code-projects.cancel_build'
/** A signal may be lost. */
const LOOK_MS = 2_000

interface Deps extends Pick<Kernel, 'facts' | 'signals'> {
  buildStore: BuildStore
}

/** That builds end, or are to end, on whichever instance. */
export function createEndings({ facts, signals, buildStore }: Deps) {
  /** It has ended, as a part of the transaction that says so. */
  async function tell(trx: Trx, by: Principal, row: BuildRow): Promise<void> {
    const { id, agentId, projectId, kind, status, reason, exitCode } = row
    const data = { id, agentId, projectId, kind, status, reason, exitCode }
    await facts.record(trx, 'code-projects.build_ended', by, { subject: projectId, owner: row.owner, data })
    afterCommit(trx, () => signals.send(ENDED, id))
  }

  /** The build when it has ended, or as it is after so many seconds, or when nobody waits any more. */
  async function wait(row: BuildRow, seconds: number, signal?: AbortSignal): Promise<BuildRow> {
    const until = performance.now() + seconds * 1_000
    let wake = () => {}
    using _hearing = signals.on(ENDED, (id) => id === row.id && wake())
    for (;;) {
      const heard = new Promise<void>((resolve) => {
        wake = resolve
      })
      const current = (await buildStore.find(row.id)) ?? row
      const left = until - performance.now()
      if (current.endedAt !== null || left <= 0 || signal?.aborted) return current
      const timer = setTimeout(wake, Math.min(left, LOOK_MS))
      signal?.addEventListener('abort', wake)
      await heard
      clearTimeout(timer)
      signal?.removeEventListener('abort', wake)
    }
  }

  return {
    tell,
    wait,
    cancel: (id: string): void => signals.send(CANCEL, id),
    onCancel: (hear: (id: string) => void): Disposable => signals.on(CANCEL, (id) => hear(String(id)))
  }
}
