import type { Principal } from 'agent-platform'
import { failed } from '../protocol/errors.ts'
import type { Params } from '../protocol/requests.ts'
import { historyLengthOf, nameOf } from '../protocol/requests.ts'
import { shownTask } from '../protocol/tasks.ts'
import type { State } from '../schemas/tasks.ts'
import type { PeerTaskStore } from '../stores/tasks.ts'
import type { TaskViews } from './task-views.ts'
import type { PeerTaskService } from './tasks.ts'

export type TaskLists = ReturnType<typeof createTaskLists>

interface Deps {
  peerTaskService: PeerTaskService
  peerTaskStore: PeerTaskStore
  taskViews: TaskViews
}

const states: readonly State[] = ['submitted', 'working', 'input-required', 'completed', 'failed', 'canceled']

/** `ListTasks` of 1.0: pages of tasks as they were last told, or, with their artifacts, as they are. */
export function createTaskLists({ peerTaskService, peerTaskStore, taskViews }: Deps) {
  async function list({ by, agentId }: { by: Principal; agentId: string }, params: Params) {
    const limit = pageSizeOf(params)
    const historyLength = historyLengthOf(params) ?? 0
    const cursor = nameOf(params.pageToken, 'pageToken')
    const state = stateOf(params.status)
    const page = { limit, ...(cursor !== undefined && { cursor }), ...(state && { state }) }
    const { data, nextCursor } = await peerTaskService.list(by, agentId, page)
    const tasks: object[] = []
    for (const row of data) {
      const run = await taskViews.outcomeOf(row, by)
      const hasArtifacts = params.includeArtifacts === true
      tasks.push(shownTask('1.0', await taskViews.show(row, run, { historyLength, hasArtifacts })))
    }
    const totalSize = await peerTaskStore.count({ project: by.project, owner: by.owner, agentId }, state)
    return { tasks, nextPageToken: nextCursor ?? '', pageSize: limit, totalSize }
  }

  return { list }
}

function pageSizeOf({ pageSize = 20 }: Params): number {
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
