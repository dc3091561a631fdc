import type { Owned } from 'agent-platform'
import { exhausted } from 'agent-platform'
import type { RunStore } from '../stores/runs.ts'

export type FirstRuns = ReturnType<typeof createFirstRuns>

interface Task extends Owned {
  readonly id: string
}
interface Waiting extends Task {
  /** With the task's first run, or none when there will be none. */
  settle(runId?: string): void
}

const LOOK_MS = 500
const LONGEST_MS = 3_600_000
/** Of one owner, on one instance. */
const MOST = 100

/** Those who wait for the first runs of tasks; one look into the record for all of them. */
export function createFirstRuns({ runStore }: { runStore: RunStore }) {
  const waiting = new Set<Waiting>()
  let timer: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    const byProject = Map.groupBy(waiting, ({ project }) => project)
    for (const [project, those] of byProject) {
      const ids = [...new Set(those.map(({ id }) => id))]
      const found = await runStore.listNewestOf(project, ids)
      for (const { id, settle } of those) {
        const { runId, isDue } = found.get(id) ?? { runId: null, isDue: false }
        if (runId !== null || !isDue) settle(runId ?? undefined)
      }
    }
  }

  function lookSoon(): void {
    if (timer || waiting.size === 0) return
    timer = setTimeout(async () => {
      // What the record does not answer now is asked again.
      await look().catch(() => undefined)
      timer = undefined
      lookSoon()
    }, LOOK_MS)
  }

  /** 429 when the owner has too many that wait. Resolves with none after an hour, too. */
  function first(task: Task): (left: AbortSignal) => Promise<string | undefined> {
    const isOwn = ({ project, owner }: Owned) => project === task.project && owner === task.owner
    if ([...waiting].filter(isOwn).length >= MOST)
      throw exhausted(`${MOST} streams of tasks that have not run are open`, { code: 'too_many_streams' })
    return async (left) => {
      const { promise, resolve } = Promise.withResolvers<string | undefined>()
      const one: Waiting = { ...task, settle: resolve }
      const over = AbortSignal.any([left, AbortSignal.timeout(LONGEST_MS)])
      if (over.aborted) return undefined
      over.addEventListener('abort', () => resolve(undefined))
      waiting.add(one)
      lookSoon()
      return promise.finally(() => waiting.delete(one))
    }
  }

  return { first }
}
