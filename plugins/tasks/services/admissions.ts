import type { Delegation, Kernel, Trx } from 'agent-platform'
import { newId } from 'agent-platform'
import type { Jobs } from '../../jobs/contract.ts'
import type { RunRow, RunStore } from '../stores/runs.ts'
import type { TaskRow, TaskStore } from '../stores/tasks.ts'
import { idField } from './acting.ts'

export type Admissions = ReturnType<typeof createAdmissions>

interface Deps extends Pick<Kernel, 'streams'> {
  jobs: Jobs
  taskStore: TaskStore
  runStore: RunStore
}

/** A run that is to be made of a task which the transaction holds, and which has no other one under way. */
export interface Admission {
  readonly task: TaskRow
  readonly trigger: RunRow['trigger']
  readonly dueAt: string | null
  /** When the task is due from now on. */
  readonly nextRunAt: string | null
  /** Why the time after that could not be calculated. */
  readonly scheduleError?: string | null
  /** Of the token that asks for it. */
  readonly delegation?: Delegation | null
}

/** Makes runs of tasks, which begin soon after the commit. */
export function createAdmissions({ streams, jobs, taskStore, runStore }: Deps) {
  async function admit(trx: Trx, project: string, admissions: readonly Admission[]): Promise<RunRow[]> {
    if (admissions.length === 0) return []
    const inOrder = admissions.flatMap(({ task: { executionMode, sessionId } }) =>
      executionMode === 'sequential' && sessionId !== null ? [sessionId] : []
    )
    await runStore.takeSessions(trx, project, inOrder)
    const runs = await runStore.insertAll(trx, admissions.map(newRun))
    const lastRunAt = new Date().toISOString()
    const states = admissions.map(({ task, nextRunAt, scheduleError = task.scheduleError }) => {
      return { task, state: { status: 'queued', nextRunAt, lastRunAt, scheduleError } as const }
    })
    await taskStore.updateAll(trx, project, states)
    const events = [{ type: 'status', fields: { status: 'queued' } }]
    await streams.publish(
      trx,
      runs.map(({ id: stream }) => ({ project, stream, idField, events }))
    )
    await jobs.send('tasks.begin', { project, ids: runs.map(({ id }) => id) }, { trx })
    return runs
  }

  return { admit }
}

const newRun = ({ task, trigger, dueAt, delegation = null }: Admission) => ({
  project: task.project,
  owner: task.owner,
  taskId: task.id,
  agentId: task.agentId,
  sessionId: task.sessionId,
  isSequential: task.executionMode === 'sequential',
  trigger,
  // Known before it begins: no fact about it comes too early.
  runId: task.executionMode === 'workflow' ? null : newId('run'),
  input: task.input,
  scheduledFor: dueAt,
  delegation
})
