import type { Kernel, Trx } from 'agent-platform'
import type { Jobs, Worker } from '../../jobs/contract.ts'
import type { RunStore } from '../stores/runs.ts'
import type { TaskRow, TaskStore } from '../stores/tasks.ts'
import type { Admission, Admissions } from './admissions.ts'
import { separately } from './separately.ts'

interface Deps extends Pick<Kernel, 'transaction' | 'log'> {
  jobs: Jobs
  taskStore: TaskStore
  runStore: RunStore
  admissions: Admissions
}

/** As the schedule of a task says it. */
interface Beat {
  readonly project: string
  readonly taskId: string
  readonly dueAt: string
  readonly nextAt: string | null
  /** Why the next time could not be calculated. A job that an earlier version sent has none. */
  readonly error?: string | null
  /** Nothing is due: only the next time was calculated again. */
  readonly isRetry?: boolean
}

interface Due {
  readonly task: TaskRow
  readonly beat: Beat
}

/** Takes tasks that are due. */
export function createBeats({ transaction, log, jobs, taskStore, runStore, admissions }: Deps) {
  async function take(trx: Trx, project: string, beats: readonly Beat[]): Promise<void> {
    const ids = beats.map(({ taskId }) => taskId)
    const tasks = new Map((await taskStore.takeAll(trx, project, ids)).map((task) => [task.id, task]))
    const open = new Set((await runStore.listOpenOf(trx, project, ids)).map(({ taskId }) => taskId))
    const due: Due[] = []
    for (const beat of beats) {
      const task = tasks.get(beat.taskId)
      if (task && (isDue(task, beat) || (await wasSetAnew(trx, task)))) due.push({ task, beat })
    }
    const isFree = ({ task, beat }: Due) => !open.has(task.id) && beat.isRetry !== true
    const free = due.filter(isFree)
    await admissions.admit(
      trx,
      project,
      free.map(({ task, beat }): Admission => {
        const { dueAt, nextAt: nextRunAt, error: scheduleError = null } = beat
        return { task, trigger: 'schedule', dueAt, nextRunAt, scheduleError }
      })
    )
    // Of a recurring one the next beat comes; what is to run once runs when the run under way has ended.
    const left = due.filter((it) => !isFree(it) && it.beat.nextAt !== null)
    await taskStore.updateAll(
      trx,
      project,
      left.map(({ task, beat: { nextAt: nextRunAt, error: scheduleError = null } }) => {
        return { task, state: { status: task.status, nextRunAt, scheduleError } }
      })
    )
  }

  /** A clock that was ahead has been put right: its schedule comes earlier than the task says. */
  async function wasSetAnew(trx: Trx, { project, id, nextRunAt }: TaskRow): Promise<boolean> {
    const nextAt = nextRunAt === null ? undefined : await jobs.schedules.nextAt(project, id, trx)
    return nextAt !== undefined && nextAt < new Date(nextRunAt as string)
  }

  const worker: Worker = {
    concurrency: 4,
    async work(data) {
      const { beats } = data as { beats: readonly Beat[] }
      const [first] = beats
      if (first) await separately(log, beats, (some) => transaction((trx) => take(trx, first.project, some)))
    }
  }
  return { worker }
}

/** Unless it was taken before, or moved since. */
const isDue = ({ nextRunAt }: TaskRow, { dueAt }: Beat) =>
  nextRunAt !== null && Date.parse(nextRunAt) <= Date.parse(dueAt)
