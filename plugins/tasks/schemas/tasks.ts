import type { Delegation } from 'agent-platform'
import {
  Changes,
  Data,
  Deleted,
  Name,
  OrNull,
  Page,
  Replacement,
  Searching,
  Time,
  table
} from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

export const statuses = [
  'scheduled',
  'queued',
  'running',
  'waiting',
  'completed',
  'failed',
  'cancelled'
] as const

const status = Type.Enum([...statuses], {
  description:
    '`scheduled`: nothing is under way; `nextRunAt` says when it runs, null: when it is executed by hand. `queued`, `running`, `waiting` (for a person or the outside): its newest run. The others: how that ended, and no more is scheduled'
})
const Retry = Type.Object(
  {
    attempts: Type.Integer({ minimum: 1, maximum: 20, description: 'The first one included' }),
    backoffSeconds: Type.Integer({
      minimum: 1,
      maximum: 86_400,
      description: 'Before the second one; doubled with each attempt, up to a day'
    })
  },
  { additionalProperties: false, description: 'How a run that fails is tried again; null: it is not' }
)

/** What callers say of a task. */
export const given = {
  agentId: OrNull(Type.String({ description: 'Who does it. Needed for `single`' })),
  sessionId: OrNull(
    Type.String({
      description: 'The session that runs continue; null: a new one each. Needed for `sequential`'
    })
  ),
  title: Name(),
  description: OrNull(
    Type.String({
      maxLength: 20_000,
      pattern: '^[^\\u0000]*$',
      description: 'What is to be done, below the title'
    })
  ),
  executionMode: Type.Enum(['single', 'sequential', 'workflow'], {
    description:
      '`single`: a run of the agent. `sequential`: the same, and the tasks of one session strictly in order. `workflow`: an execution of the workflow'
  }),
  workflowId: OrNull(Type.String({ description: 'Needed for `workflow`, and for nothing else' })),
  input: OrNull(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Of the workflow, or told to the agent below the description; up to 64 KiB as JSON'
    })
  ),
  cronExpression: OrNull(
    Type.String({
      description:
        'Cron expression of five fields (`0 9 * * MON-FRI`), or a nickname such as `@daily`. Without `isRecurring`, the task runs only once, at the next of these times',
      examples: ['0 9 * * 1']
    })
  ),
  isRecurring: Type.Boolean({ description: 'Runs at each time of `cronExpression`, which it needs' }),
  scheduledFor: OrNull(
    Type.String({ format: 'date-time', description: 'Runs once, then; what is past is due at once' })
  ),
  timezone: OrNull(
    Type.String({ description: 'Of `cronExpression`, an IANA time zone such as `Europe/Berlin`; null: UTC' })
  ),
  retry: OrNull(Retry)
}
const Task = Type.Object(
  {
    id: Type.String({ examples: ['task_01k4qz0000e0080000000000ab'] }),
    owner: Type.String(),
    ...given,
    status,
    nextRunAt: OrNull(Time),
    scheduleError: OrNull(
      Type.String({
        description:
          'Reason why the next run could not be calculated; the calculation is retried at `nextRunAt`. Null: there is none'
      })
    ),
    lastRunAt: OrNull(Type.String({ format: 'date-time', description: 'When its newest run was made' })),
    version: Type.Integer({ description: 'Version, incremented on each update; also the ETag' }),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'Task' }
)
const { title, ...rest } = given
const NewTask = Type.Object(
  { title, ...Type.Partial(Type.Object(rest)).properties },
  {
    title: 'NewTask',
    additionalProperties: false,
    examples: [
      {
        agentId: 'agent_01k4qz0000e0080000000000ab',
        title: 'Write the report of the week',
        cronExpression: '0 9 * * 1',
        isRecurring: true,
        timezone: 'Europe/Berlin'
      }
    ]
  }
)
const writable = Object.keys(given) as (keyof typeof given)[]
/** A task of which what is left out is as if it were made anew. */
const TaskReplacement = Replacement(
  Type.Object({ ...Task.properties, ...NewTask.properties }, { title: 'Task' }),
  writable
)
const TaskChanges = Changes(Task, writable)
const NewTime = Type.Object(
  { scheduledFor: given.scheduledFor },
  { title: 'TaskTime', additionalProperties: false }
)
const TaskQuery = Type.Object({
  ...Searching,
  agentId: Type.Optional(Type.String({ description: 'Only those of this agent' })),
  sessionId: Type.Optional(Type.String({ description: 'Only those of this session' })),
  status: Type.Optional(status)
})

export type Task = Static<typeof Task>
export type NewTask = Static<typeof NewTask>
export type TaskChanges = Static<typeof TaskChanges>
export type TaskQuery = Static<typeof TaskQuery>
export type Status = Task['status']

/** Beside what is shown. */
interface Hidden {
  /** What is left of the rights of its owner, of tokens that made or changed it. */
  readonly delegation: Delegation | null
}
export const tasks = table<typeof Task, Hidden>('tasks.task', Task, {
  also: ['delegation'],
  searched: ['title', 'description']
})

const tags = ['tasks']
const byId = Type.Object({ id: Type.String() })
const byTaskId = Type.Object({ taskId: Type.String() })
const response = { 200: Data(Task) }

export const createTask = { tags, summary: 'Create a task', body: NewTask, response: { 201: Data(Task) } }
export const listTasks = {
  tags,
  summary: 'List tasks',
  querystring: TaskQuery,
  response: { 200: Page(Task), 404: {} }
}
export const readTask = { tags, summary: 'Get a task', params: byId, response }
export const replaceTask = {
  tags,
  summary: 'Replace a task',
  params: byTaskId,
  body: TaskReplacement,
  response
}
export const updateTask = { tags, summary: 'Update a task', params: byTaskId, body: TaskChanges, response }
export const moveTask = {
  tags,
  summary: 'Reschedule a task that runs once',
  description:
    'A recurring task follows its `cronExpression`: 409 `recurring_task`. Null calls the time off.',
  params: byTaskId,
  body: NewTime,
  response
}
export const cancelTask = {
  tags,
  summary: 'Cancel a task',
  description:
    'What is under way stops within a second, and nothing more is scheduled. 409 `already_ended` for one that has completed or failed. To stop one run of a recurring task, cancel the run of its agent.',
  params: byId,
  response
}
export const deleteTask = { tags, summary: 'Delete a task', params: byId, response: { 200: Deleted } }
