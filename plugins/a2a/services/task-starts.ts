import type { Principal } from 'agent-platform'
import { newId, typeOfId } from 'agent-platform'
import type { Runs, SettledRun, StartedRun } from '../../runs/contract.ts'
import type { Dialect } from '../protocol/dialects.ts'
import { failed } from '../protocol/errors.ts'
import type { Order } from '../protocol/requests.ts'
import type { NewPeerTask, PeerTaskRow, PeerTaskStore } from '../stores/tasks.ts'
import type { Incoming } from './incoming.ts'
import type { PushService } from './push.ts'
import type { TaskGate } from './task-gate.ts'
import { KnownMessage } from './task-gate.ts'
import type { TaskViews } from './task-views.ts'

export type TaskStarts = ReturnType<typeof createTaskStarts>

/** Who speaks to which agent, and in which version's words. */
export interface Caller {
  readonly by: Principal
  readonly agentId: string
  readonly dialect: Dialect
}

/** A task that a message began, or was for. */
export interface Begun {
  readonly row: PeerTaskRow
  readonly contextId: string
  /** `seq` of the last event before the message, -1 where the message began it. */
  readonly after: number
  settled(leave: AbortSignal): Promise<SettledRun>
}

interface Deps {
  runs: Runs
  peerTaskStore: PeerTaskStore
  incoming: Incoming
  pushService: PushService
  taskViews: TaskViews
  taskGate: TaskGate
}

/** Tasks begin: once for each message, however often it comes. */
export function createTaskStarts(deps: Deps) {
  const { runs, peerTaskStore, incoming, pushService, taskViews, taskGate } = deps
  const { outcomeOf } = taskViews

  async function begin(caller: Caller, order: Order): Promise<Begun> {
    const { by, agentId, dialect } = caller
    const { project, owner } = by
    const { messageId = null, contextId = null } = order
    const given: NewPeerTask = {
      project,
      id: newId('run'),
      owner,
      agentId,
      contextId: contextId !== null && typeOfId(contextId) !== 'session' ? contextId : null,
      externalId: order.taskId ?? null,
      messageId,
      protocol: dialect,
      state: 'submitted',
      takesJson: order.takesJson
    }
    const row = given as PeerTaskRow
    if (await isKnown(caller, order)) return again(caller, order)
    const sessionId = await sessionOf(by, row, order)
    const said = await incoming.messagesOf(by, order.parts)
    if (order.push) await pushService.set(row, dialect, order.push)
    try {
      return begunOf(
        row,
        await taskGate.start(by, row, { agentId, ...said, ...(sessionId && { sessionId }) })
      )
    } catch (error) {
      if (order.push) await pushService.forget(row)
      // A session that is full may refuse it before the record says that it is known.
      if (error instanceof KnownMessage || (await rowOf(caller, order))) return again(caller, order)
      throw error
    }
  }

  /** Asked where something is kept before its run begins; else the record says it as the run begins. */
  const isKnown = async (caller: Caller, order: Order): Promise<boolean> =>
    (order.push !== undefined || order.parts.some((part) => 'file' in part)) &&
    (await rowOf(caller, order)) !== undefined

  /** Where the record has the task, and its run may have begun. */
  async function goOn({ by, agentId }: Caller, row: PeerTaskRow, order: Order): Promise<Begun> {
    const run = await outcomeOf(row, by)
    if (run) return begunOf(row, { ...run, settled: (leave) => runs.settled(by, row.id, leave) })
    const sessionId = await sessionOf(by, row, order)
    const said = await incoming.messagesOf(by, order.parts)
    if (order.push) await pushService.set(row, row.protocol as Dialect, order.push)
    return begunOf(
      row,
      await runs.start(by, { id: row.id, agentId, ...said, ...(sessionId && { sessionId }) })
    )
  }

  const begunOf = (row: PeerTaskRow, { sessionId, settled }: StartedRun): Begun => ({
    row,
    contextId: row.contextId ?? sessionId,
    after: -1,
    settled
  })

  /** The conversation that goes on, if one does; the client may have named it. */
  async function sessionOf(
    by: Principal,
    row: PeerTaskRow,
    { contextId }: Order
  ): Promise<string | undefined> {
    if (contextId === undefined || row.contextId === null) return contextId
    const { project, owner, agentId } = row
    const before = await peerTaskStore.findOfContext({ project, owner, agentId }, contextId, row.id)
    if (!before) return undefined
    return before.sessionId ?? (await outcomeOf(before, by))?.sessionId
  }

  /** The same message came before: it is that task, which may not have got as far as its run. */
  async function again(caller: Caller, order: Order): Promise<Begun> {
    const row = await rowOf(caller, order)
    if (!row) throw failed('REFUSED', 'Another request was about the same message; try again')
    return goOn(caller, row, order)
  }

  async function rowOf(
    { by, agentId }: Caller,
    { messageId, taskId }: Order
  ): Promise<PeerTaskRow | undefined> {
    const whose = { project: by.project, owner: by.owner, agentId }
    return (
      (messageId ? await peerTaskStore.findOfMessage(whose, messageId) : undefined) ??
      (taskId ? await peerTaskStore.findExternal(whose, taskId) : undefined)
    )
  }

  return { begin, goOn }
}
