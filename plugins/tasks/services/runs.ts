import type { Kernel, Paging, Principal, Trx } from 'agent-platform'
import { conflict, delegationOf, notFound } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Jobs } from '../../jobs/contract.ts'
import type { TaskRun } from '../schemas/runs.ts'
import { taskRuns } from '../schemas/runs.ts'
import type { Task } from '../schemas/tasks.ts'
import { tasks } from '../schemas/tasks.ts'
import type { RunStore } from '../stores/runs.ts'
import type { TaskRow, TaskStore } from '../stores/tasks.ts'
import { isOver } from '../transitions.ts'
import type { Admissions } from './admissions.ts'
import type { FirstRuns } from './first-runs.ts'
import type { Progress } from './progress.ts'
import type { Stops } from './stops.ts'

export type TaskRunService = ReturnType<typeof createTaskRunService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction'> {
  agents: Agents
  jobs: Jobs
  taskStore: TaskStore
  runStore: RunStore
  admissions: Admissions
  progress: Progress
  stops: Stops
  firstRuns: FirstRuns
}

/** Until it has begun there is no run of that id. */
const shown = <R extends TaskRun>(run: R): R => (run.status === 'queued' ? { ...run, runId: null } : run)

/** Runs of tasks, as people ask for them. */
export function createTaskRunService(deps: Deps) {
  const { knex, transaction, agents, jobs, taskStore, runStore, admissions, progress, stops, firstRuns } =
    deps

  async function execute(by: Principal, id: string): Promise<TaskRun> {
    const found = await tasks.owned(knex, by, id, 'run')
    if (found.agentId !== null) await agents.owned(by, found.agentId, 'run')
    return transaction(async (trx) => {
      const task = await tasks.lock(trx, found)
      if ((await runStore.listOpenOf(trx, task.project, [id])).length > 0)
        throw conflict('A run of the task is under way', { code: 'already_running' })
      const { nextRunAt } = task
      const delegation = delegationOf(by)
      const order = { task, trigger: 'manual', dueAt: null, nextRunAt, delegation } as const
      const [run] = await admissions.admit(trx, task.project, [order])
      if (!run) throw conflict('A run of the task is under way', { code: 'already_running' })
      return shown(run)
    })
  }

  /** The task is over: what is under way is stopped, and nothing more is scheduled. */
  async function callOff(trx: Trx, task: TaskRow): Promise<TaskRow> {
    const { project, id } = task
    await jobs.schedules.remove(trx, project, id)
    const rested = await taskStore.update(trx, task, { status: task.status, nextRunAt: null })
    const [run] = await runStore.listOpenOf(trx, project, [id])
    if (!run) return taskStore.update(trx, rested, { status: 'cancelled' })
    await progress.end(trx, project, [{ task: rested, run, ending: { status: 'cancelled' } }])
    await stops.stop(trx, run)
    return { ...rested, status: 'cancelled' }
  }

  async function cancel(by: Principal, id: string): Promise<Task> {
    const found = await tasks.owned(knex, by, id, 'change')
    return transaction(async (trx) => {
      const task = await tasks.lock(trx, found)
      if (task.status === 'cancelled') return task
      if (isOver(task.status))
        throw conflict(`The task has ${task.status} already`, { code: 'already_ended' })
      return callOff(trx, task)
    })
  }

  /** The session that its tasks continue is gone. */
  async function sessionDeleted(trx: Trx, project: string, sessionId: string): Promise<void> {
    const ids = await taskStore.listUnfinished(trx, project, sessionId)
    for (const task of await taskStore.takeAll(trx, project, ids))
      if (!isOver(task.status)) await callOff(trx, task)
  }

  async function list(by: Principal, taskId: string, page: Paging) {
    const { project } = await tasks.owned(knex, by, taskId, 'read')
    const { data, nextCursor } = await taskRuns.list(knex, by, page, { project, taskId })
    return { data: data.map(shown), nextCursor }
  }

  /** The stream of the newest run of a task, or of that one of it; of one that has not run, the stream of its first. */
  async function findStream(by: Principal, taskId: string, runId?: string) {
    const task = await tasks.owned(knex, by, taskId, 'read')
    const { project } = task
    if (runId !== undefined) {
      const run = await runStore.find(undefined, project, runId)
      if (run?.taskId !== taskId) throw notFound('Task run', { param: 'run' })
      return { project, stream: run.id }
    }
    const newest = (await runStore.listNewestOf(project, [taskId])).get(taskId)
    if (newest?.runId != null) return { project, stream: newest.runId }
    if (newest?.isDue) return { project, stream: firstRuns.first(task) }
    const why =
      task.status === 'cancelled' ? 'was cancelled before it ran' : 'has no time and was not executed'
    throw notFound(`The task ${why}: its run was`, { code: 'never_ran' })
  }

  return { execute, cancel, sessionDeleted, list, findStream }
}
