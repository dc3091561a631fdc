import type { Kernel, Principal, Trx } from 'agent-platform'
import { bothOf } from 'agent-platform'
import type { Jobs, Worker } from '../../jobs/contract.ts'
import type { Runs } from '../../runs/contract.ts'
import type { Workflows } from '../../workflows/contract.ts'
import type { Failure } from '../schemas/runs.ts'
import type { Held, RunRow, RunStore } from '../stores/runs.ts'
import type { TaskRow, TaskStore } from '../stores/tasks.ts'
import { promptOf } from './acting.ts'
import type { Outcomes } from './outcomes.ts'
import type { Ended, Progress } from './progress.ts'
import { separately } from './separately.ts'
import type { Stops } from './stops.ts'

interface Deps extends Pick<Kernel, 'transaction' | 'principals' | 'log'> {
  jobs: Jobs
  runs: Runs
  workflows: Workflows | undefined
  taskStore: TaskStore
  runStore: RunStore
  progress: Progress
  outcomes: Outcomes
  stops: Stops
}

interface Order {
  readonly project: string
  readonly ids: readonly string[]
  /** How often the platform could not take them. */
  readonly tries?: number
}
type Begun = Pick<RunRow, 'sessionId' | 'executionId' | 'startedAt'>
type Attempt = { readonly run: RunRow } & (
  | { readonly begun: Begun }
  | { readonly refused: Failure }
  | { readonly delayed: Failure }
)

/** So long is tried what the platform cannot take now: an hour and a half. */
const TRIES = 20
const LONGEST_SECONDS = 300
/** Of a task that another executor is at. */
const HELD_SECONDS = 1
const LATE_SECONDS = 300
const SWEEP = 500
/** What another try does not mend. */
const refusals = new Set([
  'invalid',
  'forbidden',
  'notFound',
  'paymentRequired',
  'tooLarge',
  'notImplemented'
])

const overCodes = new Set(['token_expired', 'token_revoked'])

/** Begins runs that are queued: by a run of the agent, or an execution of the workflow. */
export function createBeginnings(deps: Deps) {
  const {
    transaction,
    principals,
    log,
    jobs,
    runs,
    workflows,
    taskStore,
    runStore,
    progress,
    outcomes,
    stops
  } = deps

  async function work(by: Principal, task: TaskRow, run: RunRow): Promise<Begun> {
    if (run.runId !== null) {
      const messages = [{ role: 'user' as const, content: promptOf(task, run.input) }]
      const { sessionId } = await runs.start(by, {
        id: run.runId,
        agentId: run.agentId ?? '',
        messages,
        ...(run.sessionId !== null && { sessionId: run.sessionId })
      })
      return { sessionId, executionId: null, startedAt: new Date().toISOString() }
    }
    if (!workflows) throw Object.assign(new Error('Workflows are off'), refusal('capability_missing'))
    const key = `${run.id}.${run.attempt}`
    const order = { workflowId: task.workflowId ?? '', input: run.input ?? {}, key }
    const { id: executionId } = await workflows.execute(by, order)
    return { sessionId: null, executionId, startedAt: new Date().toISOString() }
  }

  async function attempt(
    asOwner: (owner: string) => Promise<Principal | undefined>,
    task: TaskRow,
    run: RunRow
  ): Promise<Attempt> {
    try {
      const delegation = bothOf(task.delegation, run.delegation)
      const by = await (delegation ? principals.of(run.project, run.owner, delegation) : asOwner(run.owner))
      if (!by) throw Object.assign(new Error('The owner is disabled'), refusal('owner_disabled'))
      return { run, begun: await work(by, task, run) }
    } catch (thrown) {
      const { kind, code, message } = thrown as { kind?: string; code?: unknown; message: string }
      // What is no failure for the caller says nothing about the inside.
      const error = kind
        ? { code: typeof code === 'string' ? code : kind, message }
        : { code: 'internal', message: 'It could not be begun' }
      return kind && refusals.has(kind) ? { run, refused: error } : { run, delayed: error }
    }
  }

  async function begin({ project, ids, tries = 0 }: Order): Promise<void> {
    const [queued, blocked] = await Promise.all([
      runStore.listQueued(project, ids),
      runStore.listBlocked(project, ids)
    ])
    const free = queued.filter(({ id }) => !blocked.has(id))
    const tasks = new Map(
      (
        await taskStore.list(
          project,
          free.map(({ taskId }) => taskId)
        )
      ).map((task) => [task.id, task])
    )
    const owners = new Map<string, Promise<Principal | undefined>>()
    const asOwner = (owner: string) => {
      const by = owners.get(owner) ?? principals.of(project, owner)
      owners.set(owner, by)
      return by
    }
    const attempts = await Promise.all(
      free.flatMap((run) => {
        const task = tasks.get(run.taskId)
        return task ? [attempt(asOwner, task, run)] : []
      })
    )
    if (attempts.length === 0) return
    await separately(log, attempts, (some) => transaction((trx) => settle(trx, project, some, tries)))
    const executionIds = attempts.flatMap((it) => ('begun' in it ? (it.begun.executionId ?? []) : []))
    await outcomes.look(project, executionIds)
  }

  /** Writes down what came of it, but for tasks that others hold: those settle it themselves, or it is looked at again. */
  async function settle(trx: Trx, project: string, attempts: readonly Attempt[], tries: number) {
    const taskIds = attempts.map(({ run }) => run.taskId)
    const free = new Map((await taskStore.takeFree(trx, project, taskIds)).map((task) => [task.id, task]))
    const there = new Set((await taskStore.list(project, taskIds, trx)).map(({ id }) => id))
    const ids = attempts.map(({ run }) => run.id)
    const now = new Map((await runStore.list(trx, project, ids)).map((run) => [run.id, run]))
    const started: Held[] = []
    const failed: Ended[] = []
    const putOff: string[] = []
    const heldElsewhere: string[] = []
    for (const it of attempts) {
      const [task, run] = [free.get(it.run.taskId), now.get(it.run.id)]
      if (!task && there.has(it.run.taskId)) heldElsewhere.push(it.run.id)
      else if (!task || !run || run.status === 'cancelled') {
        // Called off while it was being begun.
        if ('begun' in it) await stops.stop(trx, { ...it.run, ...it.begun })
      } else if (run.status !== 'queued' || run.attempt !== it.run.attempt) continue
      else if ('begun' in it) started.push({ task, run: { ...it.run, ...it.begun } })
      else if ('refused' in it || tries >= TRIES)
        failed.push({
          task: await resting(trx, task, it),
          run,
          ending: { status: 'failed', error: errorOf(it) }
        })
      else putOff.push(run.id)
    }
    await progress.start(trx, project, started)
    await progress.end(trx, project, failed)
    await again(trx, { project, ids: heldElsewhere, tries }, HELD_SECONDS)
    await again(trx, { project, ids: putOff, tries: tries + 1 }, Math.min(2 ** tries, LONGEST_SECONDS))
  }

  /** What a token made is not due again once that, or its key, has ended. */
  async function resting(trx: Trx, task: TaskRow, it: Attempt): Promise<TaskRow> {
    const isOver = 'refused' in it && overCodes.has(it.refused.code)
    if (!isOver || task.delegation === null || it.run.delegation !== null) return task
    await jobs.schedules.remove(trx, task.project, task.id)
    return taskStore.update(trx, task, { status: task.status, nextRunAt: null })
  }

  const again = async (trx: Trx, order: Order, seconds: number): Promise<void> => {
    if (order.ids.length === 0) return
    await jobs.send('tasks.begin', order, { trx, inSeconds: seconds })
  }

  /** Those whose job was given up. */
  async function sweep(): Promise<void> {
    const late = await runStore.listOverdue(LATE_SECONDS, SWEEP)
    for (const { project, id } of late) await jobs.send('tasks.begin', { project, ids: [id] }, { key: id })
  }

  const worker: Worker = { concurrency: 4, work: (data) => begin(data as Order) }
  const overdue: Worker = { cron: '*/5 * * * *', work: sweep }
  return { worker, overdue }
}

const errorOf = (attempt: { readonly refused: Failure } | { readonly delayed: Failure }) =>
  'refused' in attempt ? attempt.refused : attempt.delayed
const refusal = (code: string) => ({ kind: 'forbidden', code })
