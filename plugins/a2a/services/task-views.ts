import type { Principal } from 'agent-platform'
import type { Run, Runs } from '../../runs/contract.ts'
import type { Sessions } from '../../sessions/contract.ts'
import type { TaskView } from '../protocol/tasks.ts'
import { artifactOf, questionOf, stateOf } from '../protocol/tasks.ts'
import type { PeerTaskRow } from '../stores/tasks.ts'

export type TaskViews = ReturnType<typeof createTaskViews>

interface Deps {
  runs: Runs
  sessions: Sessions
}

/** At once: as it is. */
const now = AbortSignal.abort()

/** Tasks as they are told: what their runs say. */
export function createTaskViews({ runs, sessions }: Deps) {
  /** Undefined where its run has not begun. */
  const outcomeOf = (row: PeerTaskRow, by: Principal): Promise<Run | undefined> =>
    runs.settled(by, row.id, now).catch((error) => {
      if (error.kind === 'notFound') return undefined
      throw error
    })

  /** As it is told. */
  async function show(row: PeerTaskRow, run: Run | undefined, historyLength = 0): Promise<TaskView> {
    const { id, takesJson, createdAt } = row
    const contextId = row.contextId ?? run?.sessionId ?? ''
    if (!run)
      return {
        id,
        contextId,
        state: row.state,
        says: [],
        artifact: [],
        history: undefined,
        timestamp: createdAt
      }
    const state = stateOf(run.status)
    const says =
      state === 'input-required' ? questionOf(run.pending) : run.error ? [{ text: run.error.message }] : []
    const history = historyLength > 0 ? await historyOf(row.project, run, historyLength) : undefined
    const artifact = state === 'completed' ? artifactOf(run.content, takesJson) : []
    return { id, contextId, state, says, artifact, history, timestamp: run.endedAt ?? run.createdAt }
  }

  async function historyOf(project: string, { sessionId, id }: Run, length: number) {
    const all = await sessions.ofRun(project, sessionId, id)
    return all.filter(({ role, content }) => content && /^(?:user|assistant)$/.test(role)).slice(-length)
  }

  return { outcomeOf, show }
}
