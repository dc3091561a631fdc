import { Closed, Page, Paging } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Capability } from '../ui-plugins/contract.ts'
import { createTask, listTasks } from './schemas/tasks.ts'
import type { TaskRunService } from './services/runs.ts'
import type { TaskService } from './services/tasks.ts'

interface Deps {
  taskService: TaskService
}

const New = createTask.body.properties
const Task = Type.Pick(createTask.response[201].properties.data, [
  'id',
  'agentId',
  'sessionId',
  'title',
  'description',
  'status',
  'cronExpression',
  'isRecurring',
  'scheduledFor',
  'timezone',
  'nextRunAt',
  'lastRunAt',
  'createdAt'
])
const { title, description, cronExpression, isRecurring, scheduledFor, timezone } = New
const CreateParams = Closed({
  agentId: Type.String({ maxLength: 128 }),
  title,
  description,
  cronExpression,
  isRecurring,
  scheduledFor,
  timezone
})
const ListParams = Closed({
  agentId: Type.Optional(Type.String({ maxLength: 128, description: 'Needed where the grant names agents' })),
  status: listTasks.querystring.properties.status,
  ...Paging
})
const TaskParams = Closed({ taskId: Type.String({ maxLength: 128 }) })

export const createCapability = ({ taskService }: Deps): Capability<Static<typeof CreateParams>> => ({
  title: 'Create a task',
  description:
    'Something that an agent is to do: at a time, at the times of a cron expression, or when it is executed',
  risk: 'high',
  reaches: 'Has your agents do things in your name later, and again and again, while nobody watches',
  narrows: { to: 'agents', at: '/agentId' },
  params: CreateParams,
  result: Task,
  call: (by, task) => taskService.create(by, task)
})

export const listCapability = ({ taskService }: Deps): Capability<Static<typeof ListParams>> => ({
  title: 'List tasks',
  description: 'Tasks, when they run next, and how the latest run ended, newest first, in pages',
  risk: 'medium',
  reaches: 'Reads the tasks of your agents',
  narrows: { to: 'agents', at: '/agentId' },
  params: ListParams,
  result: Page(Task),
  idempotent: true,
  call: (by, query) => taskService.list(by, query)
})

export const cancelCapability = ({
  taskService,
  taskRunService
}: Deps & { taskRunService: TaskRunService }): Capability<Static<typeof TaskParams>> => ({
  title: 'Cancel a task',
  description:
    'Stops what of a task is under way, and schedules nothing more of it; 409 `already_ended` for one that is over',
  risk: 'medium',
  reaches: 'Calls off the tasks of your agents',
  narrows: { to: 'agents' },
  params: TaskParams,
  result: Task,
  async call(by, { taskId }, { within }) {
    within((await taskService.read(by, taskId)).agentId)
    return taskRunService.cancel(by, taskId)
  }
})
