import { ApiError } from './errors.ts'
import type { EventStream } from './event-stream.ts'
import { createEventStream } from './event-stream.ts'
import { itemsOf } from './list.ts'
import type { Connection, FollowOptions } from './runs.ts'
import type { Execution, ExecutionEvent, SpaceEvent, TaskEvent, TaskRun } from './schemas.ts'

export interface FollowTaskOptions extends FollowOptions {
  /** Another run of the task than the newest one. */
  readonly run?: string | undefined
}

export interface Tasks {
  /** The events of the newest run of a task, until it ends; waits for its first run where that is scheduled, 404 else. */
  follow(taskId: string, options?: FollowTaskOptions): EventStream<TaskEvent>
}

export interface Executions {
  /** The events of an execution of a workflow, until it ends. */
  follow(workflowId: string, executionId: string, options?: FollowOptions): EventStream<ExecutionEvent>
}

export interface Spaces {
  /**
   * The events of a space, from its first one or behind `after`, such as the `seq` of `…/full`; among them those that are not
   * stored, such as that a member types. Ends with the space, when the caller is no member any more, and by `unsubscribe`. An
   * ApiError of the code `events_gone` where events behind `after` are not kept any more: read the space, and follow its `seq`.
   */
  follow(spaceId: string, options?: FollowOptions): EventStream<SpaceEvent>
}

const headers = { accept: 'text/event-stream' }

export function createTasks({ send, call, ...options }: Connection): Tasks {
  async function hasEnded(taskId: string, runId: string, signal: AbortSignal): Promise<boolean> {
    const runs = itemsOf(call, '/v1/tasks/{id}/runs', { params: { path: { id: taskId } }, signal })
    for await (const { id, endedAt } of runs as AsyncIterable<TaskRun>)
      if (id === runId) return endedAt !== null
    return true
  }

  return {
    follow(id, { run, after = -1, signal } = {}) {
      const open = (from: number, leaving: AbortSignal, taskRun?: string) =>
        send('get', '/v1/tasks/{id}/stream', {
          params: { path: { id }, query: { after: from, ...(taskRun !== undefined && { run: taskRun }) } },
          headers,
          signal: leaving
        })
      return createEventStream<TaskEvent>({
        ...options,
        begin: (leaving) => open(after, leaving),
        // Another run may be the newest one by now.
        resume: (taskRun, from, leaving) => open(from, leaving, taskRun),
        idOf: ({ taskRunId }) => taskRunId,
        hasEnded: (taskRun, leaving) => hasEnded(id, taskRun, leaving),
        id: run,
        after,
        signal
      })
    }
  }
}

export function createExecutions({ send, call, ...options }: Connection): Executions {
  return {
    follow(id, executionId, { after = -1, signal } = {}) {
      const path = { id, executionId }
      return createEventStream<ExecutionEvent>({
        ...options,
        resume: (_, from, leaving) =>
          send('get', '/v1/workflows/{id}/executions/{executionId}/stream', {
            params: { path, query: { after: from } },
            headers,
            signal: leaving
          }),
        idOf: (event) => event.executionId,
        async hasEnded(_, leaving) {
          const init = { params: { path }, signal: leaving }
          const { data } = (await call('get', '/v1/workflows/{id}/executions/{executionId}', init)) as {
            data: Execution
          }
          return data.endedAt !== null
        },
        id: executionId,
        after,
        signal
      })
    }
  }
}

const unstored = new Set(['presence', 'typing', 'read', 'speaking', 'unsubscribed'])

export function createSpaces({ send, ...options }: Connection): Spaces {
  return {
    follow: (spaceId, { after = -1, signal } = {}) =>
      createEventStream<SpaceEvent>({
        ...options,
        resume: (_, from, leaving) =>
          send('get', '/v1/spaces/{spaceId}/subscribe', {
            params: { path: { spaceId }, query: { after: from } },
            headers,
            signal: leaving
          }),
        idOf: (event) => event.spaceId,
        hasEnded: async () => false,
        isOver: (error) => error instanceof ApiError && (error.status === 404 || error.code === 'not_member'),
        unstored,
        id: spaceId,
        after,
        signal
      })
  }
}
