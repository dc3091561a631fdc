import type { Kernel, Trx } from 'agent-platform'
import type { Jobs, Worker } from '../../jobs/contract.ts'
import type { RunStore } from '../stores/runs.ts'
import type { TaskRow, TaskStore } from '../stores/tasks.ts'
import type { Admission, Admissions } from './admissions.ts'

interface Deps extends Pick<Kernel, 'transaction'> {
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
}

/** Takes tasks that are due. */
export function createBeats({ transaction, jobs, taskStore, runStore, admissions }: Deps) {
  async function take(trx: Trx, project: string, beats: readonly Beat[]): Promise<void> {
    const ids = beats.map(({ taskId }) => taskId)
    const tasks = new Map((await taskStore.takeAll(trx, project, ids)).map((task) => [task.id, task]))
    const open = new Set((await runStore.listOpenOf(trx, project, ids)).map(({ taskId }) => taskId))
    const due: { task: TaskRow; beat: Beat }[] = []
    for (const beat of beats) {
      const task = tasks.get(beat.taskId)
      if (task && (isDue(task, beat) || (await wasSetAnew(trx, task)))) due.push({ task, beat })
    }
    const free = due.filter(({ task }) => !open.has(task.id))
    await admissions.admit(
      trx,
      project,
      free.map(({ task, beat }): Admission => {
        return { task, trigger: 'schedule', dueAt: beat.dueAt, nextRunAt: beat.nextAt }
      })
    )
    // Of a recurring one the next beat comes; what is to run once runs when the run under way has ended.
    const left = due.filter(({ task, beat }) => open.has(task.id) && beat.nextAt !== null)
    await taskStore.updateAll(
      trx,
      project,
      left.map(({ task, beat }) => ({ task, state: { status: task.status, nextRunAt: beat.nextAt } }))
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
      if (first) await transaction((trx) => take(trx, first.project, beats))
    }
  }
  return { worker }
}

/** Unless it was taken before, or moved since. */
const isDue = ({ nextRunAt }: TaskRow, { dueAt }: Beat) =>
  nextRunAt !== null && Date.parse(nextRunAt) <= Date.parse(dueAt)
