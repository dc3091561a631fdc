import { queryOptions } from '@tanstack/react-query'
import { api } from 'agent-platform/console'
import type { Task } from 'agent-platform-client'

export type Status = Task['status']
export const statuses: readonly Status[] = [
  'scheduled',
  'queued',
  'running',
  'waiting',
  'completed',
  'failed',
  'cancelled'
]
export interface TaskFilter {
  readonly agentId?: string | undefined
  readonly status?: Status | undefined
}

export const isUnderWay = (status: Status) => ['queued', 'running', 'waiting'].includes(status)

/** Queries of tasks: by `['tasks']` all of them are read anew. */
export const taskQuery = (taskId: string) =>
  queryOptions({
    queryKey: ['tasks', taskId],
    queryFn: async ({ signal }) =>
      (await api.get('/v1/tasks/{id}', { params: { path: { id: taskId } }, signal })).data,
    // While a run is under way its stream says when to look again.
    refetchInterval: ({ state: { data } }) => (data?.nextRunAt ? 10_000 : false)
  })

/** Of more tasks no calendar is drawn. */
export const CALENDAR_TASKS = 1_000

/** Tasks that have a next time, the earliest first. */
export const upcomingQuery = ({ agentId, status }: TaskFilter = {}) =>
  queryOptions({
    queryKey: ['tasks', 'upcoming', agentId, status],
    async queryFn({ signal }) {
      const query = { limit: 100, agentId, status }
      const tasks: Task[] = []
      let read = 0
      for await (const task of api.list('/v1/tasks', { params: { query }, signal })) {
        if (task.nextRunAt) tasks.push(task)
        if (++read === CALENDAR_TASKS) break
      }
      tasks.sort((a, b) => Date.parse(a.nextRunAt ?? '') - Date.parse(b.nextRunAt ?? ''))
      return { tasks, isWhole: read < CALENDAR_TASKS }
    },
    refetchInterval: 30_000
  })
