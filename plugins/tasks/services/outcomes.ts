import type { Kernel, Trx } from 'agent-platform'
import type { Runs } from '../../runs/contract.ts'
import type { Workflows } from '../../workflows/contract.ts'
import type { Failure } from '../schemas/runs.ts'
import type { RunRow, RunStore, Work } from '../stores/runs.ts'
import type { TaskStore } from '../stores/tasks.ts'
import type { Held, Progress } from './progress.ts'

export type Outcomes = ReturnType<typeof createOutcomes>

interface Deps extends Pick<Kernel, 'transaction' | 'principals'> {
  runs: Runs
  workflows: Workflows | undefined
  taskStore: TaskStore
  runStore: RunStore
  progress: Progress
}

/** What the facts about runs and executions make of runs of tasks. */
export function createOutcomes({
  transaction,
  principals,
  runs,
  workflows,
  taskStore,
  runStore,
  progress
}: Deps) {
  /** The run of a task whose work that is, held; it has begun, though nobody may have written that down yet. */
  async function held(trx: Trx, project: string, work: Work, sessionId: string | null) {
    const found = await runStore.findOpenOf(trx, project, work)
    if (!found) return undefined
    const [task] = await taskStore.takeAll(trx, project, [found.taskId])
    const run = await runStore.findOpenOf(trx, project, work)
    if (!task || !run) return undefined
    if (run.status !== 'queued') return { task, run }
    const begun = { ...run, sessionId: run.sessionId ?? sessionId }
    await progress.start(trx, project, [{ task, run: begun }])
    return { task: { ...task, status: 'running' }, run: { ...begun, status: 'running' } } satisfies Held
  }

  async function rest(trx: Trx, project: string, work: Work, status: 'waiting' | 'running') {
    const it = await held(trx, project, work, null)
    if (it) await progress.rest(trx, it, status)
  }

  /** What the run said, or why it failed; null where its owner is disabled, and nobody may ask. */
  async function answerOf({ project, owner }: RunRow, runId: string) {
    const by = await principals.of(project, owner)
    return by ? runs.settled(by, runId, AbortSignal.abort()) : null
  }

  async function runEnded(
    trx: Trx,
    project: string,
    { runId, sessionId }: { readonly runId: string; readonly sessionId: string },
    status: 'completed' | 'failed' | 'cancelled',
    code = 'internal'
  ): Promise<void> {
    const it = await held(trx, project, { runId }, sessionId)
    if (!it) return
    if (status === 'cancelled') return progress.end(trx, it, { status })
    const answer = await answerOf(it.run, runId)
    if (status === 'completed') {
      const output = { content: answer?.content ?? null }
      return progress.end(trx, it, { status, output })
    }
    await progress.fail(trx, it, { code, message: answer?.error?.message ?? 'The run failed' })
  }

  async function executionEnded(
    trx: Trx,
    project: string,
    executionId: string,
    status: 'completed' | 'failed' | 'cancelled',
    error: Failure = { code: 'internal', message: 'The execution failed' }
  ): Promise<void> {
    const it = await held(trx, project, { executionId }, null)
    if (!it) return
    if (status === 'cancelled') return progress.end(trx, it, { status })
    const by = await principals.of(project, it.run.owner)
    const state = by && (await workflows?.state(by, executionId))
    if (status === 'completed') return progress.end(trx, it, { status, output: state?.output ?? null })
    await progress.fail(trx, it, state?.error ?? error)
  }

  /** An execution may have ended before it was written down whose it is. */
  async function look({ project, owner }: RunRow, executionId: string): Promise<void> {
    const by = await principals.of(project, owner)
    const state = by && (await workflows?.state(by, executionId))
    const status = state?.status
    if (status === 'waiting') await transaction((trx) => rest(trx, project, { executionId }, status))
    if (status === 'completed' || status === 'failed' || status === 'cancelled')
      await transaction((trx) => executionEnded(trx, project, executionId, status))
  }

  return { rest, runEnded, executionEnded, look }
}
