import type { Kernel, Principal, View } from 'agent-platform'
import type { Dialect, Operation } from '../protocol/dialects.ts'
import { methodOf } from '../protocol/dialects.ts'
import type { RpcError } from '../protocol/errors.ts'
import { failed, rpcError, rpcErrorOf } from '../protocol/errors.ts'
import { placeOf } from '../protocol/push.ts'
import type { Order, Params } from '../protocol/requests.ts'
import { historyLengthOf, needed, objectOf, orderOf } from '../protocol/requests.ts'
import type { TaskView } from '../protocol/tasks.ts'
import { isTerminal, shownTask } from '../protocol/tasks.ts'
import { rpcView } from '../protocol/updates.ts'
import type { PeerTaskRow } from '../stores/tasks.ts'
import type { PublicationService } from './publications.ts'
import type { PushService } from './push.ts'
import type { TaskLists } from './task-lists.ts'
import type { Begun, Caller } from './task-starts.ts'
import type { TaskViews } from './task-views.ts'
import { MOST_HISTORY } from './task-views.ts'
import type { PeerTaskService } from './tasks.ts'

export type Rpc = ReturnType<typeof createRpc>

interface Deps extends Pick<Kernel, 'log'> {
  peerTaskService: PeerTaskService
  publicationService: PublicationService
  taskLists: TaskLists
  pushService: PushService
  taskViews: TaskViews
}

/** A request, as far as its HTTP matters. */
export interface Exchange {
  readonly by: Principal
  readonly agentId: string
  readonly version: string | undefined
  /** `Idempotency-Key`. */
  readonly key: string | undefined
  readonly lastEventId: string | undefined
  /** Aborted when the caller leaves. */
  readonly leave: AbortSignal
}

/** A reply: a value, or the stream of a task. */
export type Answer = { readonly body: object } | { readonly stream: Followed }
export interface Followed {
  readonly project: string
  readonly stream: string
  readonly view: View
  readonly after: number
}

type Id = string | number | null
interface Call extends Exchange {
  readonly id: Id
  readonly params: Params
  readonly operation: Operation
  /** Undefined where it is that of the task. */
  readonly dialect: Dialect | undefined
}

/** Speaks JSON-RPC 2.0: one request at a time, for a batch would let one request do the work of thousands. */
export function createRpc(deps: Deps) {
  const { log, peerTaskService: tasks, publicationService, taskLists, pushService, taskViews } = deps

  async function answer(exchange: Exchange, message: unknown): Promise<Answer> {
    const id = idOf(message)
    try {
      return await carryOut(callOf(exchange, message, id))
    } catch (error) {
      return { body: { jsonrpc: '2.0', id: id ?? null, error: told(error) } }
    }
  }

  function told(error: unknown): RpcError {
    const known = rpcErrorOf(error)
    if (known) return known
    log.error({ err: error }, 'a request of an agent failed')
    return rpcError('INTERNAL_ERROR', 'Something went wrong on our side')
  }

  async function carryOut(call: Call): Promise<Answer> {
    const result = (value: unknown): Answer => ({ body: { jsonrpc: '2.0', id: call.id, result: value } })
    switch (call.operation) {
      case 'send':
        return result(await send(call))
      case 'stream':
        return stream(call)
      case 'subscribe':
        return subscribe(call)
      case 'get': {
        const row = await tasks.read(call, taskIdOf(call))
        const dialect = dialectOf(call, row)
        // The first version gives no history unless it is asked for, the later ones all of it.
        const length = historyLengthOf(call.params) ?? (dialect === '0.2' ? 0 : MOST_HISTORY)
        return result(shownTask(dialect, await tasks.get({ ...call, dialect }, row.id, length)))
      }
      case 'cancel': {
        const row = await tasks.read(call, taskIdOf(call))
        const dialect = dialectOf(call, row)
        return result(shownTask(dialect, await tasks.cancel({ ...call, dialect }, row.id)))
      }
      case 'list':
        return result(await taskLists.list(call, call.params))
      case 'setPush':
      case 'getPush':
      case 'listPush':
      case 'deletePush': {
        const { taskId } = placeOf(call.dialect ?? '0.3', call.params)
        const row = await tasks.read(call, taskId, 'change')
        return result(await pushService.carryOut(call.operation, dialectOf(call, row), call.params, row))
      }
      default:
        throw failed('UNSUPPORTED_OPERATION', 'That is not supported')
    }
  }

  async function begin(call: Call): Promise<{ begun: Begun; order: Order; dialect: Dialect }> {
    const dialect = call.dialect ?? '0.3'
    const { key, params } = call
    const order = orderOf(params, dialect === '0.2')
    // Those that are under way go on when the agent is published no more.
    if (order.taskId === undefined || dialect === '0.2')
      await publicationService.refuseUnpublished(call.by.project, call.agentId)
    const caller: Caller = { ...call, dialect }
    const begun = await tasks.begin(caller, { ...order, ...(key !== undefined && { messageId: key }) })
    return { begun, order, dialect }
  }

  async function send(call: Call): Promise<object> {
    const { begun, order, dialect } = await begin(call)
    const run = await begun.settled(order.isBlocking ? call.leave : AbortSignal.abort())
    const shown = shownTask(dialect, await taskViews.show(begun.row, run, order))
    return dialect === '1.0' ? { task: shown } : shown
  }

  async function stream(call: Call): Promise<Answer> {
    const { begun, dialect } = await begin(call)
    const { row, contextId, after } = begun
    const task = { contextId, state: after < 0 ? ('submitted' as const) : ('working' as const) }
    return { stream: followed(call, dialect, row, task, after) }
  }

  /** From its first update, or behind the one that `Last-Event-ID` names. */
  async function subscribe(call: Call): Promise<Answer> {
    const row = await tasks.read(call, taskIdOf(call))
    const dialect = dialectOf(call, row)
    const view = await tasks.get({ ...call, dialect }, row.id)
    const { lastEventId } = call
    if (dialect === '1.0' && lastEventId === undefined && isTerminal(view.state))
      throw failed('UNSUPPORTED_OPERATION', 'The task has ended: nothing follows')
    if (lastEventId !== undefined && !/^\d{1,9}$/.test(lastEventId))
      throw failed('INVALID_PARAMS', 'Last-Event-ID must be the id of an update')
    return { stream: followed(call, dialect, row, view, Number(lastEventId ?? -1)) }
  }

  function followed(
    { id }: Call,
    dialect: Dialect,
    row: PeerTaskRow,
    { contextId, state }: Pick<TaskView, 'contextId' | 'state'>,
    after: number
  ): Followed {
    const task: TaskView = {
      id: nameOf(dialect, row),
      contextId,
      state,
      says: [],
      artifact: [],
      files: [],
      history: undefined,
      timestamp: row.createdAt
    }
    const view = rpcView(dialect, id, task, after, row.takesJson, () => taskViews.filesAtEnd(row))
    return { project: row.project, stream: row.id, view, after }
  }

  return { answer }
}

/** A client of the first version knows the task by the name that it gave it. */
const nameOf = (dialect: Dialect, { id, externalId }: PeerTaskRow) =>
  dialect === '0.2' ? (externalId ?? id) : id

const dialectOf = ({ dialect }: Call, { protocol }: PeerTaskRow): Dialect => dialect ?? (protocol as Dialect)

const taskIdOf = ({ params }: Call): string => needed(params.id ?? params.taskId, 'id')

/** Undefined where it is none. */
function idOf(message: unknown): Id | undefined {
  const { id } = objectOf(message)
  return typeof id === 'string' || Number.isSafeInteger(id) || id === null ? (id as Id) : undefined
}

function callOf(exchange: Exchange, message: unknown, id: Id | undefined): Call {
  if (Array.isArray(message)) throw failed('INVALID_REQUEST', 'Batches are not supported')
  const { jsonrpc, method, params = {} } = objectOf(message)
  if (jsonrpc !== '2.0' || typeof method !== 'string')
    throw failed('INVALID_REQUEST', 'A request of JSON-RPC 2.0 is needed, with jsonrpc and method')
  if (id === undefined)
    throw failed('INVALID_REQUEST', 'id must be a text, a whole number or null: there are no notifications')
  const known = methodOf(method, exchange.version)
  if (typeof params !== 'object' || params === null || Array.isArray(params))
    throw failed('INVALID_PARAMS', 'params must be an object')
  return { ...exchange, ...known, id, params: params as Params }
}
