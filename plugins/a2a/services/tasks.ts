import type { Kernel, Paging, Principal, Verb } from 'agent-platform'
import { notFound, owned, typeOfId } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Runs } from '../../runs/contract.ts'
import { failed } from '../protocol/errors.ts'
import type { Order } from '../protocol/requests.ts'
import type { TaskView } from '../protocol/tasks.ts'
import type { State } from '../schemas/tasks.ts'
import { peerTasks } from '../schemas/tasks.ts'
import type { PeerTaskRow, PeerTaskStore } from '../stores/tasks.ts'
import type { Answers } from './answers.ts'
import type { PushService } from './push.ts'
import type { Begun, Caller, TaskStarts } from './task-starts.ts'
import type { TaskViews } from './task-views.ts'

export type PeerTaskService = ReturnType<typeof createPeerTaskService>

interface Deps extends Pick<Kernel, 'knex' | 'streams'> {
  agents: Agents
  runs: Runs
  peerTaskStore: PeerTaskStore
  answers: Answers
  pushService: PushService
  taskViews: TaskViews
  taskStarts: TaskStarts
}

/** Tasks that others give: each is a run. */
export function createPeerTaskService(deps: Deps) {
  const { knex, streams, agents, runs, peerTaskStore, answers, pushService, taskViews, taskStarts } = deps
  const { outcomeOf, show } = taskViews

  /** Begins a task, or says to one that waits what it waits for. A message that comes twice counts once. */
  async function begin(caller: Caller, order: Order): Promise<Begun> {
    const known = order.taskId === undefined ? undefined : await find(caller, order.taskId, 'run')
    if (known) return goOn(caller, known, order)
    if (order.taskId !== undefined && caller.dialect !== '0.2') throw unknown()
    return taskStarts.begin(caller, order)
  }

  async function goOn(caller: Caller, row: PeerTaskRow, order: Order): Promise<Begun> {
    const { by } = caller
    const { project, id } = row
    const run = await outcomeOf(row, by)
    if (!run) return taskStarts.goOn(caller, row, order)
    const contextId = row.contextId ?? run.sessionId
    if (order.contextId !== undefined && order.contextId !== contextId)
      throw failed('INVALID_PARAMS', 'message.contextId is not that of the task')
    const isRepeated =
      order.messageId !== undefined && [row.messageId, row.answerId].includes(order.messageId)
    const begun = (after: number): Begun => ({
      row,
      contextId,
      after,
      settled: (leave) => runs.settled(by, id, leave)
    })
    if (isRepeated || (run.status !== 'waiting' && caller.dialect === '0.2')) return begun(-1)
    if (run.status !== 'waiting')
      throw failed(
        'UNSUPPORTED_OPERATION',
        run.endedAt === null
          ? 'The task is at work: it takes a message when it asks for one'
          : 'The task has ended: leave its id out, and name its context to go on'
      )
    if (order.push) await pushService.set(row, caller.dialect, order.push)
    const state = await streams.state(project, id)
    await answers(by, run, order.parts)
    if (order.messageId !== undefined) await peerTaskStore.updateAnswered(row, order.messageId)
    return begun(state?.last ?? -1)
  }

  /** The task, by the platform's name for it or the client's; undefined where there is none, or none of this agent. */
  async function find({ by, agentId }: Omit<Caller, 'dialect'>, id: string, verb: Verb) {
    const whose = { project: by.project, owner: by.owner, agentId }
    const row =
      typeOfId(id) === 'run' ? await peerTaskStore.find(id) : await peerTaskStore.findExternal(whose, id)
    return row?.agentId === agentId ? owned(by, row, 'Task', verb) : undefined
  }

  /** -32001 where there is none. */
  async function read(
    caller: Omit<Caller, 'dialect'>,
    id: string,
    verb: Verb = 'read'
  ): Promise<PeerTaskRow> {
    const row = await find(caller, id, verb)
    if (!row) throw unknown()
    return row
  }

  const get = async (caller: Caller, id: string, historyLength?: number) => {
    const row = await read(caller, id)
    return show(row, await outcomeOf(row, caller.by), { historyLength })
  }

  async function cancel(caller: Caller, id: string): Promise<TaskView> {
    const row = await read(caller, id, 'change')
    if ((await outcomeOf(row, caller.by))?.endedAt != null) throw ended()
    try {
      return await show(row, await runs.cancel(caller.by, row.id))
    } catch (error) {
      const { kind } = error as { kind?: string }
      if (kind !== 'conflict' && kind !== 'notFound') throw error
      throw ended()
    }
  }

  async function list(by: Principal, agentId: string, { state, ...page }: Paging & { state?: State }) {
    await agents.owned(by, agentId, 'read')
    return peerTasks.list(knex, by, page, { agentId, ...(state && { state }) })
  }

  /** For its stream: 404 where there is none. */
  async function follow(
    by: Principal,
    agentId: string,
    id: string
  ): Promise<Begun['row'] & { contextId: string }> {
    await agents.owned(by, agentId, 'read')
    const row = await find({ by, agentId }, id, 'read')
    const run = row && (await outcomeOf(row, by))
    if (!row || !run) throw notFound('Task')
    return { ...row, contextId: row.contextId ?? run.sessionId }
  }

  return { begin, read, get, cancel, list, follow }
}

const ended = () => failed('TASK_NOT_CANCELABLE', 'The task has ended')
const unknown = () => failed('TASK_NOT_FOUND', 'There is no such task')
