import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import {
  createTask,
  deleteTask,
  listTasks,
  moveTask,
  readTask,
  replaceTask,
  updateTask
} from '../schemas/tasks.ts'
import type { TaskService } from '../services/tasks.ts'

/** What a token makes here is done with what it leaves, and by no other right. */
const config = { tokens: 'agents' } as const

export function taskRoutes(app: App, { taskService }: { taskService: TaskService }) {
  app.post('/tasks', { schema: createTask, config }, async ({ principal, body }, reply) => {
    return reply.code(201).send({ data: await taskService.create(principal, body) })
  })

  app.get('/tasks', { schema: listTasks, config }, ({ principal, query }) =>
    taskService.list(principal, query)
  )

  app.get('/tasks/:id', { schema: readTask, config }, async ({ principal, params }) => {
    return { data: await taskService.read(principal, params.id) }
  })

  app.put('/tasks/:taskId', { schema: replaceTask, config }, async (request) => {
    const { principal, params, body } = request
    return { data: await taskService.replace(principal, params.taskId, body, ifMatch(request)) }
  })

  app.patch('/tasks/:taskId', { schema: updateTask, config }, async (request) => {
    const { principal, params, body } = request
    return { data: await taskService.update(principal, params.taskId, body, ifMatch(request)) }
  })

  app.patch('/tasks/:taskId/schedule', { schema: moveTask, config }, async (request) => {
    const { principal, params, body } = request
    const { scheduledFor } = body
    return { data: await taskService.move(principal, params.taskId, scheduledFor, ifMatch(request)) }
  })

  app.delete('/tasks/:id', { schema: deleteTask, config }, async (request) => {
    return { data: await taskService.remove(request.principal, request.params.id, ifMatch(request)) }
  })
}
