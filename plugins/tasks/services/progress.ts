import type { EventInput, Kernel, Recorded, Trx } from 'agent-platform'
import { newId } from 'agent-platform'
import type { Jobs } from '../../jobs/contract.ts'
import type { Failure } from '../schemas/runs.ts'
import type { RunRow, RunStore } from '../stores/runs.ts'
import type { TaskRow, TaskStore } from '../stores/tasks.ts'
import { idField, ownerOf } from './acting.ts'
import type { Admissions } from './admissions.ts'

export type Progress = ReturnType<typeof createProgress>

interface Deps extends Pick<Kernel, 'streams'> {
  jobs: Jobs
  taskStore: TaskStore
  runStore: RunStore
  admissions: Admissions
}

/** A task that the transaction holds, and its run that has not ended. */
export interface Held {
  readonly task: TaskRow
  readonly run: RunRow
}
export type Ending =
  | { readonly status: 'completed'; readonly output: unknown }
  | { readonly status: 'failed'; readonly error: Failure }
  | { readonly status: 'cancelled' }

const ends = {
  completed: 'tasks.completed',
  failed: 'tasks.failed',
  cancelled: 'tasks.cancelled'
} as const
const LONGEST_BACKOFF_SECONDS = 86_400

/** What becomes of runs: each change of the record with its event in the stream and the fact about it. */
export function createProgress({ streams, jobs, taskStore, runStore, admissions }: Deps) {
  const publish = (trx: Trx, { project, id: stream }: RunRow, event: EventInput, ended = false) =>
    streams.publish(trx, [{ project, stream, idField, events: [event], ended }])

  /** Those that have begun. */
  async function start(trx: Trx, project: string, held: readonly Held[]): Promise<void> {
    await runStore.updateRunning(
      trx,
      project,
      held.map(({ run }) => run)
    )
    await taskStore.updateAll(
      trx,
      project,
      held.map(({ task }) => ({ task, state: { status: 'running' } }))
    )
    await streams.publish(
      trx,
      held.map(({ run: { id: stream, attempt, runId, executionId, sessionId } }) => {
        const work = Object.entries({ runId, executionId, sessionId }).filter(([, id]) => id !== null)
        const fields = { status: 'running', attempt, ...Object.fromEntries(work) }
        return { project, stream, idField, events: [{ type: 'status', fields }] }
      })
    )
    await runStore.insertFacts(
      trx,
      held.map(({ run }) => factOf('tasks.started', run))
    )
  }

  async function setStatus(trx: Trx, { task, run }: Held, status: 'waiting' | 'running'): Promise<void> {
    if (run.status === status) return
    await runStore.update(trx, run, { status })
    await taskStore.update(trx, task, { status })
    await publish(trx, run, { type: 'status', fields: { status } })
  }

  /** It has failed: again, if the task says so, else for good. */
  async function fail(trx: Trx, held: Held, error: Failure): Promise<void> {
    const { task, run } = held
    const { attempt } = run
    if (!task.retry || attempt >= task.retry.attempts) return end(trx, held, { status: 'failed', error })
    const seconds = Math.min(task.retry.backoffSeconds * 2 ** (attempt - 1), LONGEST_BACKOFF_SECONDS)
    const at = new Date(Date.now() + seconds * 1_000)
    const beginsAt = at.toISOString()
    const runId = run.runId === null ? null : newId('run')
    const again = { attempt: attempt + 1, runId, executionId: null, beginsAt, startedAt: null, error }
    await runStore.update(trx, run, { status: 'queued', ...again })
    await taskStore.update(trx, task, { status: 'queued' })
    const fields = { status: 'retrying', attempt: attempt + 1, at: beginsAt, error }
    await publish(trx, run, { type: 'status', fields })
    await jobs.send('tasks.begin', { project: run.project, ids: [run.id] }, { trx, at })
  }

  async function end(trx: Trx, { task, run }: Held, ending: Ending): Promise<void> {
    const { project, sessionId } = run
    const { status, ...result } = ending
    if (run.isSequential && sessionId !== null) await runStore.takeSessions(trx, project, [sessionId])
    const endedAt = new Date().toISOString()
    const ended = await runStore.update(trx, run, { status, error: null, ...result, endedAt })
    await publish(trx, run, { type: status, fields: result }, true)
    await runStore.insertFacts(trx, [factOf(ends[status], ended)])
    const { nextRunAt } = task
    const left = await taskStore.update(trx, task, { status: nextRunAt === null ? status : 'scheduled' })
    // What is to run once was due meanwhile.
    if (nextRunAt !== null && !task.isRecurring && Date.parse(nextRunAt) <= Date.now())
      await admissions.admit(trx, project, [
        { task: left, trigger: 'schedule', dueAt: nextRunAt, nextRunAt: null }
      ])
    if (!run.isSequential || sessionId === null) return
    const next = await runStore.findNext(trx, project, sessionId)
    if (next) await jobs.send('tasks.begin', { project, ids: [next.id] }, { trx })
  }

  return { start, setStatus, fail, end }
}

function factOf(name: 'tasks.started' | (typeof ends)[Ending['status']], run: RunRow): Recorded {
  const { owner, id: taskRunId, taskId, agentId, runId, executionId, error } = run
  const data = { taskId, taskRunId, agentId, runId, executionId, code: error?.code ?? 'internal' }
  const { code: _, ...about } = data
  const details = { by: ownerOf(run), subject: taskId, owner }
  return name === 'tasks.failed' ? { ...details, name, data } : { ...details, name, data: about }
}
