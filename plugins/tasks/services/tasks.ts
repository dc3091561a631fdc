import { isDeepStrictEqual } from 'node:util'
import type { Kernel, Owned, Principal, Trx } from 'agent-platform'
import { bothOf, conflict, delegationOf, exhausted, forbidden, notFound } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Jobs } from '../../jobs/contract.ts'
import type { Sessions } from '../../sessions/contract.ts'
import type { NewTask, Task, TaskChanges, TaskQuery } from '../schemas/tasks.ts'
import { tasks } from '../schemas/tasks.ts'
import type { TaskSettings } from '../settings.ts'
import type { RunStore } from '../stores/runs.ts'
import type { TaskRow, TaskStore } from '../stores/tasks.ts'
import { isOver } from '../transitions.ts'
import type { Definition, DefinitionCheck } from './definition.ts'
import { definitionOf } from './definition.ts'
import type { Stops } from './stops.ts'

export type TaskService = ReturnType<typeof createTaskService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts'> {
  settings: TaskSettings
  agents: Agents
  sessions: Sessions
  jobs: Jobs
  taskStore: TaskStore
  runStore: RunStore
  definitionCheck: DefinitionCheck
  stops: Stops
}

/** Beats of tasks that are due together and come as one job. */
const TOGETHER = 50
const places = ['agentId', 'sessionId', 'workflowId', 'executionMode'] as const
const times = ['cronExpression', 'isRecurring', 'scheduledFor', 'timezone'] as const

/** What a fact says of one: not what the agent is told. */
const shown = ({ title, description, input, delegation, ...task }: TaskRow) => task

export function createTaskService(deps: Deps) {
  const {
    knex,
    transaction,
    facts,
    settings,
    agents,
    sessions,
    jobs,
    taskStore,
    runStore,
    definitionCheck,
    stops
  } = deps

  /** `rests`: nothing of it is scheduled before it is edited, as of one that was cancelled. */
  async function create(by: Principal, input: NewTask, { rests = false } = {}): Promise<Task> {
    const definition = definitionOf(input)
    definitionCheck.check(definition)
    const resolved = await definitionCheck.resolve(by, definition)
    return transaction(async (trx) => {
      await keepAgent(trx, resolved)
      const made = await tasks.insert(trx, {
        ...definition,
        ...resolved,
        delegation: delegationOf(by),
        status: rests ? 'cancelled' : 'scheduled',
        nextRunAt: null,
        scheduleError: null,
        lastRunAt: null
      })
      const task = rests ? made : await schedule(trx, made)
      await facts.record(trx, 'tasks.created', by, { subject: task.id, owner: task.owner, data: shown(task) })
      return task
    })
  }

  /** So that nothing is left behind of an agent that is just being deleted. */
  async function keepAgent(trx: Trx, { project, agentId }: Owned & Pick<Task, 'agentId'>) {
    if (agentId !== null && !(await agents.takeShare(trx, project, [agentId])))
      throw notFound('Agent', { param: '/agentId' })
  }

  /** One owner must not fill the minutes of all; a few at once may pass together. */
  async function checkRoom(trx: Trx, task: TaskRow): Promise<void> {
    const { scheduled } = settings
    if ((await taskStore.countScheduled(trx, task, scheduled)) >= scheduled)
      throw exhausted(`The owner has ${scheduled} tasks that are scheduled`, { code: 'too_many_scheduled' })
  }

  /** As its times say from now on. */
  async function schedule(trx: Trx, task: TaskRow): Promise<TaskRow> {
    const { project, owner, id, cronExpression: cron, isRecurring, scheduledFor } = task
    const own = { project, owner, id, queue: 'tasks.due', together: TOGETHER, data: { project, taskId: id } }
    const { set, remove } = jobs.schedules
    let next: Date | null = scheduledFor === null ? null : new Date(scheduledFor)
    if (cron !== null && next === null)
      next = await set(trx, { ...own, cron, timezone: task.timezone ?? 'UTC' })
    if (next === null) await remove(trx, project, id)
    else if (!isRecurring) await set(trx, { ...own, at: next })
    const nextRunAt = next?.toISOString() ?? null
    if (nextRunAt !== null && task.nextRunAt === null) await checkRoom(trx, task)
    const rests = task.status === 'scheduled' || isOver(task.status)
    const status = rests && next !== null ? 'scheduled' : task.status
    return taskStore.update(trx, task, { status, nextRunAt, scheduleError: null })
  }

  async function list(by: Principal, { agentId, sessionId, status, ...page }: TaskQuery) {
    if (agentId !== undefined) await agents.owned(by, agentId, 'read', 'agentId')
    if (sessionId !== undefined) await sessions.owned(by, sessionId, 'read', 'sessionId')
    return tasks.list(knex, by, page, { agentId, sessionId, status })
  }

  const read = (by: Principal, id: string) => tasks.owned(knex, by, id, 'read')

  /** By what the task is: an edit that another one overtook begins again, so that both hold. */
  async function edit(
    by: Principal,
    id: string,
    definitionFor: (found: TaskRow) => Definition,
    version?: number
  ): Promise<Task> {
    for (;;) {
      const found = await tasks.owned(knex, by, id, 'change')
      const edited = await editFound(by, found, definitionFor(found), version)
      if (edited) return edited
    }
  }

  /** Undefined where it is not what was found any more. */
  async function editFound(by: Principal, found: TaskRow, definition: Definition, version?: number) {
    definitionCheck.check(definition)
    const isMoved = places.some((field) => definition[field] !== found[field])
    const resolved = isMoved ? await definitionCheck.resolve(by, definition) : found
    if (resolved.owner !== found.owner)
      throw forbidden('The agent belongs to another owner', { param: '/agentId', code: 'not_owner' })
    if (!isMoved && found.agentId !== null) await agents.owned(by, found.agentId, 'read')
    return transaction(async (trx) => {
      await keepAgent(trx, resolved)
      if ((await tasks.lock(trx, found, version)).version !== found.version) return undefined
      // What a token has said of it is done with what that token leaves, also where its owner said the rest.
      const delegation = bothOf(found.delegation, delegationOf(by))
      const changes = { ...definition, agentId: resolved.agentId, delegation }
      const { row, isChanged } = await tasks.update(trx, found, changes)
      if (!isChanged) return row
      const isTimed = times.some((field) => !isDeepStrictEqual(row[field], found[field]))
      const task = isTimed ? await schedule(trx, row) : row
      await facts.record(trx, 'tasks.updated', by, { subject: task.id, owner: task.owner, data: shown(task) })
      return task
    })
  }

  /** The given fields; null clears. */
  const update = (by: Principal, id: string, changes: TaskChanges, version?: number): Promise<Task> =>
    edit(by, id, (found) => definitionOf({ ...givenOf(found), ...givenOf(changes) }), version)

  /** What is left out is as if the task were made anew. */
  const replace = (by: Principal, id: string, task: NewTask, version?: number): Promise<Task> =>
    edit(by, id, () => definitionOf(givenOf(task)), version)

  function move(by: Principal, id: string, scheduledFor: string | null, version?: number): Promise<Task> {
    const definitionFor = (found: TaskRow) => {
      if (found.isRecurring)
        throw conflict('A recurring task follows its cronExpression', { code: 'recurring_task' })
      return definitionOf({ ...givenOf(found), scheduledFor })
    }
    return edit(by, id, definitionFor, version)
  }

  /** With what is under way; its runs follow. */
  async function remove(by: Principal, id: string, version?: number) {
    const found = await tasks.owned(knex, by, id, 'change')
    const { project, owner } = found
    await transaction(async (trx) => {
      await tasks.remove(trx, found, version)
      await jobs.schedules.remove(trx, project, id)
      for (const run of await runStore.listOpenOf(trx, project, [id])) await stops.stop(trx, run)
      await facts.record(trx, 'tasks.deleted', by, { subject: id, owner, data: { id } })
    })
    return { id, deleted: true } as const
  }

  return { create, list, read, update, replace, move, remove }
}

const fields = new Set(Object.keys(definitionOf({ title: '' })))
/** What callers say of a task, without what they may send back beside it. */
const givenOf = <T extends object>(task: T): T & NewTask =>
  Object.fromEntries(Object.entries(task).filter(([field]) => fields.has(field))) as T & NewTask
