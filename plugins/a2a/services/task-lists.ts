import type { Principal } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import { failed } from '../protocol/errors.ts'
import type { Params } from '../protocol/requests.ts'
import { historyLengthOf, nameOf } from '../protocol/requests.ts'
import { shownTask } from '../protocol/tasks.ts'
import type { State } from '../schemas/tasks.ts'
import type { PeerTaskStore, Told } from '../stores/tasks.ts'
import type { TaskViews } from './task-views.ts'
import { MOST_HISTORY, wholeRoom } from './task-views.ts'

export type TaskLists = ReturnType<typeof createTaskLists>

interface Deps {
  agents: Agents
  peerTaskStore: PeerTaskStore
  taskViews: TaskViews
}

const states: readonly State[] = ['submitted', 'working', 'input-required', 'completed', 'failed', 'canceled']

/** `ListTasks` of 1.0: pages of tasks, those whose status is the latest first. */
export function createTaskLists({ agents, peerTaskStore, taskViews }: Deps) {
  async function list({ by, agentId }: { by: Principal; agentId: string }, params: Params) {
    await agents.owned(by, agentId, 'read')
    const pageSize = pageSizeOf(params)
    const historyLength = Math.min(historyLengthOf(params) ?? 0, MOST_HISTORY)
    const room = wholeRoom()
    const hasArtifacts = params.includeArtifacts === true
    const whose = { project: by.project, owner: by.owner, agentId }
    const wanted = {
      contextId: nameOf(params.contextId || undefined, 'contextId'),
      state: stateOf(params.status),
      since: timeOf(params.statusTimestampAfter)
    }
    const found = await peerTaskStore.listTold(whose, wanted, pageSize + 1, placeOf(params.pageToken))
    const rows = found.slice(0, pageSize)
    const tasks: object[] = []
    for (const row of rows) {
      const run = await taskViews.outcomeOf(row, by)
      tasks.push(shownTask('1.0', await taskViews.show(row, run, { historyLength, hasArtifacts, room })))
    }
    const last = found.length > pageSize ? rows.at(-1) : undefined
    const nextPageToken = last ? tokenOf(last) : ''
    return { tasks, nextPageToken, pageSize, totalSize: await peerTaskStore.count(whose, wanted) }
  }

  return { list }
}

function pageSizeOf({ pageSize = 50 }: Params): number {
  if (Number.isInteger(pageSize) && (pageSize as number) >= 1 && (pageSize as number) <= 100)
    return pageSize as number
  throw failed('INVALID_PARAMS', 'pageSize must be a whole number from 1 to 100')
}

function stateOf(status: unknown): State | undefined {
  if (status === undefined || status === null || status === '' || status === 'TASK_STATE_UNSPECIFIED')
    return undefined
  const state = String(status).replace('TASK_STATE_', '').toLowerCase().replace('_', '-')
  if (states.includes(state as State)) return state as State
  throw failed('INVALID_PARAMS', 'status must be the state of a task')
}

function timeOf(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(value) &&
    Date.parse(value) > 0
  )
    return value
  throw failed('INVALID_PARAMS', 'statusTimestampAfter must be a time of ISO 8601')
}

const tokenOf = ({ toldAt, id }: Told): string => Buffer.from(`${toldAt} ${id}`).toString('base64url')

function placeOf(token: unknown): Told | undefined {
  if (token === undefined || token === null || token === '') return undefined
  const text = Buffer.from(String(token), 'base64url').toString()
  const [, toldAt, id] =
    /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d(?::\d\d)?) (run_\w+)$/.exec(text) ?? []
  if (
    toldAt !== undefined &&
    id !== undefined &&
    !Number.isNaN(Date.parse(`${toldAt.slice(0, 10)}T${toldAt.slice(11, 19)}Z`))
  )
    return { toldAt, id }
  throw failed('INVALID_PARAMS', 'pageToken must be that of a page before')
}
