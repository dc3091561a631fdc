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
  /** What the transaction holds of a task; it has begun, though nobody may have written that down yet. */
  async function begun(trx: Trx, { task, run }: Held, since: Partial<RunRow> = {}): Promise<Held> {
    if (run.status !== 'queued') return { task, run }
    const started = { ...run, startedAt: new Date().toISOString(), ...since }
    await progress.start(trx, run.project, [{ task, run: started }])
    return { task: { ...task, status: 'running' }, run: { ...started, status: 'running' } }
  }

  async function setStatus(trx: Trx, project: string, work: Work, status: 'waiting' | 'running') {
    const found = await runStore.takeOpenOf(trx, project, work)
    if (found) await progress.setStatus(trx, await begun(trx, found), status)
  }

  async function runEnded(
    trx: Trx,
    project: string,
    { runId, sessionId }: { readonly runId: string; readonly sessionId: string },
    status: 'completed' | 'failed' | 'cancelled',
    code = 'internal'
  ): Promise<void> {
    const found = await runStore.takeOpenOf(trx, project, { runId })
    if (!found) return
    if (status === 'cancelled') return progress.end(trx, await begun(trx, found, { sessionId }), { status })
    const { content, error, createdAt } = await runs.settled(ownerOf(found.run), runId, AbortSignal.abort())
    const it = await begun(trx, found, { sessionId, startedAt: createdAt })
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
    const found = await runStore.takeOpenOf(trx, project, { executionId })
    if (!found) return
    const it = await begun(trx, found)
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
