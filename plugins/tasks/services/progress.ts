import type { Kernel, Recorded, Trx } from 'agent-platform'
import { newId } from 'agent-platform'
import type { Jobs } from '../../jobs/contract.ts'
import type { Failure } from '../schemas/runs.ts'
import type { Held, RunRow, RunStore } from '../stores/runs.ts'
import type { TaskStore } from '../stores/tasks.ts'
import { idField, ownerOf } from './acting.ts'
import type { Admissions } from './admissions.ts'

export type Progress = ReturnType<typeof createProgress>

interface Deps extends Pick<Kernel, 'streams'> {
  jobs: Jobs
  taskStore: TaskStore
  runStore: RunStore
  admissions: Admissions
}

type Failed = { readonly status: 'failed'; readonly error: Failure }
export type Ending =
  | { readonly status: 'completed'; readonly output: unknown }
  | Failed
  | { readonly status: 'cancelled' }
export type Ended<E extends Ending = Ending> = Held & { readonly ending: E }

const ends = {
  completed: 'tasks.completed',
  failed: 'tasks.failed',
  cancelled: 'tasks.cancelled'
} as const
const LONGEST_BACKOFF_SECONDS = 86_400

/** What becomes of runs, many of a project at once: each change of the record with its event in the stream and the fact about it. */
export function createProgress({ streams, jobs, taskStore, runStore, admissions }: Deps) {
  /** Those that have begun; as they are then. */
  async function start(trx: Trx, project: string, held: readonly Held[]): Promise<Held[]> {
    const changed = await changeAll(trx, project, held, () => ({ status: 'running' }))
    const runs = changed.map(({ run }) => run)
    await streams.publish(
      trx,
      runs.map(({ id: stream, attempt, runId, executionId, sessionId }) => {
        const work = Object.entries({ runId, executionId, sessionId }).filter(([, id]) => id !== null)
        const fields = { status: 'running', attempt, ...Object.fromEntries(work) }
        return { project, stream, idField, events: [{ type: 'status', fields }] }
      })
    )
    await runStore.insertFacts(
      trx,
      runs.map((run) => factOf('tasks.started', run))
    )
    return changed
  }

  async function setStatus(
    trx: Trx,
    project: string,
    held: readonly Held[],
    status: 'waiting' | 'running'
  ): Promise<void> {
    const others = held.filter(({ run }) => run.status !== status)
    await changeAll(trx, project, others, () => ({ status }))
    const events = [{ type: 'status', fields: { status } }]
    await streams.publish(
      trx,
      others.map(({ run: { id: stream } }) => ({ project, stream, idField, events }))
    )
  }

  /** Those that have failed are tried again, if their tasks say so. */
  async function settle(trx: Trx, project: string, ended: readonly Ended[]): Promise<void> {
    await retry(trx, project, ended.filter(isToBeRetried))
    await end(
      trx,
      project,
      ended.filter((it) => !isToBeRetried(it))
    )
  }

  async function retry(trx: Trx, project: string, failed: readonly Ended<Failed>[]): Promise<void> {
    const now = Date.now()
    const changed = await changeAll(trx, project, failed, ({ task, run, ending: { error } }) => {
      const seconds = (task.retry?.backoffSeconds ?? 0) * 2 ** (run.attempt - 1)
      const beginsAt = new Date(now + Math.min(seconds, LONGEST_BACKOFF_SECONDS) * 1_000).toISOString()
      const runId = run.runId === null ? null : newId('run')
      const next = { attempt: run.attempt + 1, runId, executionId: null }
      return { status: 'queued', ...next, beginsAt, startedAt: null, error }
    })
    await streams.publish(
      trx,
      changed.map(({ run: { id: stream, attempt, beginsAt: at, error } }) => {
        const fields = { status: 'retrying', attempt, at, error }
        return { project, stream, idField, events: [{ type: 'status', fields }] }
      })
    )
    for (const [at, due] of Map.groupBy(changed, ({ run }) => run.beginsAt)) {
      const order = { project, ids: due.map(({ run }) => run.id) }
      await jobs.send('tasks.begin', order, { trx, at: new Date(at) })
    }
  }

  /** For good. */
  async function end(trx: Trx, project: string, ended: readonly Ended[]): Promise<void> {
    const sessions = ended.flatMap(({ run: { isSequential, sessionId } }) =>
      isSequential && sessionId !== null ? [sessionId] : []
    )
    await runStore.takeSessions(trx, project, sessions)
    const endedAt = new Date().toISOString()
    const changed = await changeAll(trx, project, ended, ({ ending }) => ({
      error: null,
      ...ending,
      endedAt
    }))
    await streams.publish(
      trx,
      ended.map(({ run: { id: stream }, ending: { status: type, ...fields } }) => {
        return { project, stream, idField, events: [{ type, fields }], ended: true }
      })
    )
    await runStore.insertFacts(
      trx,
      changed.map(({ run }) => factOf(ends[run.status as Ending['status']], run))
    )
    await admitOverdue(trx, project, changed)
    const next = sessions.length > 0 ? await runStore.listNext(trx, project, sessions) : []
    if (next.length > 0) await jobs.send('tasks.begin', { project, ids: next }, { trx })
  }

  /** What is to run once, and was due meanwhile. */
  async function admitOverdue(trx: Trx, project: string, held: readonly Held[]): Promise<void> {
    const due = held.flatMap(({ task }) => {
      const { nextRunAt, isRecurring } = task
      if (nextRunAt === null || isRecurring || Date.parse(nextRunAt) > Date.now()) return []
      return [{ task, trigger: 'schedule', dueAt: nextRunAt, nextRunAt: null } as const]
    })
    // Its time is taken: a beat that has not come yet has nothing to do.
    for (const { task } of due) await jobs.schedules.remove(trx, project, task.id)
    await admissions.admit(trx, project, due)
  }

  /** Their runs in one statement and their tasks in another; a run that ends leaves its task with its next time. */
  async function changeAll<H extends Held>(
    trx: Trx,
    project: string,
    held: readonly H[],
    stateOf: (it: H) => Parameters<RunStore['updateAll']>[2][number]['state']
  ): Promise<Held[]> {
    const runs = await runStore.updateAll(
      trx,
      project,
      held.map((it) => ({ run: it.run, state: stateOf(it) }))
    )
    const after = held.map(({ task }, index): Held => {
      const run = runs[index] as RunRow
      const isScheduled = run.endedAt !== null && task.nextRunAt !== null
      return { run, task: { ...task, status: isScheduled ? 'scheduled' : run.status } }
    })
    const changes = after.map(({ task: { status } }, index) => {
      return { task: (held[index] as H).task, state: { status } }
    })
    await taskStore.updateAll(trx, project, changes)
    return after
  }

  return { start, setStatus, settle, end }
}

function isToBeRetried(it: Ended): it is Ended<Failed> {
  const { task, run, ending } = it
  return ending.status === 'failed' && task.retry !== null && run.attempt < task.retry.attempts
}

function factOf(name: 'tasks.started' | (typeof ends)[Ending['status']], run: RunRow): Recorded {
  const { owner, id: taskRunId, taskId, agentId, runId, executionId, error } = run
  const about = { taskId, taskRunId, agentId, runId, executionId }
  const details = { by: ownerOf(run), subject: taskId, owner }
  if (name !== 'tasks.failed') return { ...details, name, data: about }
  return { ...details, name, data: { ...about, code: error?.code ?? 'internal' } }
}
