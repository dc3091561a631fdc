import type { Delegation } from 'agent-platform'
import { Data, OrNull, Page, Paging, Time, table } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { statuses } from './tasks.ts'

const Failure = Type.Object({ code: Type.String(), message: Type.String() })
const TaskRun = Type.Object(
  {
    id: Type.String({ examples: ['taskrun_01k4qz0000e0080000000000ab'] }),
    owner: Type.String(),
    taskId: Type.String(),
    status: Type.Enum(statuses.slice(1), {
      description: '`queued`: due, or to be tried again, or it stands behind another one of its session'
    }),
    trigger: Type.Enum(['schedule', 'manual'], { description: 'What made it' }),
    attempt: Type.Integer({ description: 'From 1; more after failures, as `retry` of the task says' }),
    runId: OrNull(Type.String({ description: 'The run of the agent, of this attempt, once it has begun' })),
    executionId: OrNull(Type.String({ description: 'The execution of the workflow, of this attempt' })),
    sessionId: OrNull(Type.String()),
    input: OrNull(Type.Record(Type.String(), Type.Unknown())),
    output: Type.Unknown({
      description: 'What the workflow gave; of an agent `{ content }`; null before the end'
    }),
    error: OrNull(Failure),
    scheduledFor: OrNull(
      Type.String({ format: 'date-time', description: 'When it was due; null: made by hand' })
    ),
    startedAt: OrNull(Time),
    endedAt: OrNull(Time),
    createdAt: Time
  },
  { title: 'TaskRun' }
)
export type TaskRun = Static<typeof TaskRun>
export type Failure = Static<typeof Failure>
export type RunStatus = TaskRun['status']

/** Beside what is shown. */
export interface Hidden {
  readonly agentId: string | null
  readonly isSequential: boolean
  /** Not before: it is tried again then. */
  readonly beginsAt: string
  /** Of a token that made it. */
  readonly delegation: Delegation | null
}
export const taskRuns = table<typeof TaskRun, Hidden>('tasks.run', TaskRun, {
  also: ['agentId', 'isSequential', 'beginsAt', 'delegation'],
  type: 'taskrun'
})

const event = <T extends string>(type: T, fields: object) =>
  Type.Object({ type: Type.Literal(type), taskRunId: Type.String(), seq: Type.Integer(), ...fields })
const TaskEvent = Type.Union(
  [
    event('status', {
      status: Type.Enum(['queued', 'running', 'waiting', 'retrying']),
      attempt: Type.Optional(Type.Integer()),
      runId: Type.Optional(Type.String()),
      executionId: Type.Optional(Type.String()),
      sessionId: Type.Optional(Type.String()),
      at: Type.Optional(Type.String({ format: 'date-time', description: 'Of `retrying`: not before' })),
      error: Type.Optional(Failure)
    }),
    event('completed', { output: Type.Unknown() }),
    event('failed', { error: Failure }),
    event('cancelled', {}),
    event('keepalive', {})
  ],
  { title: 'TaskEvent' }
)

const tags = ['tasks']
const params = Type.Object({ id: Type.String() })
export const executeTask = {
  tags,
  summary: 'Run a task now',
  description: 'Whatever it is scheduled for stays. 409 `already_running` while a run of it is under way.',
  params,
  response: { 201: Data(TaskRun) }
}
export const listTaskRuns = {
  tags,
  summary: 'List the runs of a task',
  params,
  querystring: Type.Object(Paging),
  response: { 200: Page(TaskRun) }
}
export const followTask = {
  tags,
  summary: 'Follow a run of a task',
  description:
    'Ends with `completed`, `failed` or `cancelled`. Of a task that is scheduled for its first run it opens at once and waits for that, for an hour at most (comments keep it open; then it ends without an event, to be opened again); 429 `too_many_streams` where the owner has a hundred of those. 404 `never_ran` when nothing has run and nothing is scheduled.',
  params,
  querystring: Type.Object({
    run: Type.Optional(Type.String({ description: 'Another run than the newest one' })),
    after: Type.Optional(
      Type.Integer({ minimum: -1, maximum: 999_999_999, description: '`seq` of the last event received' })
    )
  }),
  response: {
    200: {
      description: 'Server-Sent Events, each a `data: <JSON>` frame',
      content: { 'text/event-stream': { schema: TaskEvent } }
    }
  }
}
