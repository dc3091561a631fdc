import type { Kernel, Trx } from 'agent-platform'
import type { Runs } from '../../runs/contract.ts'
import type { Workflows } from '../../workflows/contract.ts'
import type { Failure } from '../schemas/runs.ts'
import type { RunRow, RunStore, Work } from '../stores/runs.ts'
import { ownerOf } from './acting.ts'
import type { Held, Progress } from './progress.ts'

export type Outcomes = ReturnType<typeof createOutcomes>

interface Deps extends Pick<Kernel, 'transaction'> {
  runs: Runs
  workflows: Workflows | undefined
  runStore: RunStore
  progress: Progress
}

/** What the facts about runs and executions make of runs of tasks. */
export function createOutcomes({ transaction, runs, workflows, runStore, progress }: Deps) {
  /** The run of a task whose work that is, held; it has begun, though nobody may have written that down yet. */
  async function held(trx: Trx, project: string, work: Work, sessionId: string | null) {
    const found = await runStore.takeOpenOf(trx, project, work)
    if (!found) return undefined
    const { task, run } = found
    if (run.status !== 'queued') return { task, run }
    const begun = { ...run, sessionId: run.sessionId ?? sessionId, startedAt: new Date().toISOString() }
    await progress.start(trx, project, [{ task, run: begun }])
    return { task: { ...task, status: 'running' }, run: { ...begun, status: 'running' } } satisfies Held
  }

  async function setStatus(trx: Trx, project: string, work: Work, status: 'waiting' | 'running') {
    const it = await held(trx, project, work, null)
    if (it) await progress.setStatus(trx, it, status)
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
    const { content, error } = await runs.settled(ownerOf(it.run), runId, AbortSignal.abort())
    if (status === 'completed') return progress.end(trx, it, { status, output: { content } })
    await progress.fail(trx, it, { code, message: error?.message ?? 'The run failed' })
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
    const state = await workflows?.state(ownerOf(it.run), executionId)
    if (status === 'completed') return progress.end(trx, it, { status, output: state?.output ?? null })
    await progress.fail(trx, it, state?.error ?? error)
  }

  /** An execution may have ended before it was written down whose it is. */
  async function look(run: RunRow, executionId: string): Promise<void> {
    const { project } = run
    const status = (await workflows?.state(ownerOf(run), executionId))?.status
    if (status === 'waiting') await transaction((trx) => setStatus(trx, project, { executionId }, status))
    if (status === 'completed' || status === 'failed' || status === 'cancelled')
      await transaction((trx) => executionEnded(trx, project, executionId, status))
  }

  return { setStatus, runEnded, executionEnded, look }
}
