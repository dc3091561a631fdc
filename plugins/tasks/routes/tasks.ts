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

export function taskRoutes(app: App, { taskService }: { taskService: TaskService }) {
  app.post('/tasks', { schema: createTask }, async ({ principal, body }, reply) => {
    return reply.code(201).send({ data: await taskService.create(principal, body) })
  })

  app.get('/tasks', { schema: listTasks }, ({ principal, query }) => taskService.list(principal, query))

  app.get('/tasks/:id', { schema: readTask }, async ({ principal, params }) => {
    return { data: await taskService.read(principal, params.id) }
  })

  app.put('/tasks/:taskId', { schema: replaceTask }, async (request) => {
    const { principal, params, body } = request
    return { data: await taskService.replace(principal, params.taskId, body, ifMatch(request)) }
  })

  app.patch('/tasks/:taskId', { schema: updateTask }, async (request) => {
    const { principal, params, body } = request
    return { data: await taskService.update(principal, params.taskId, body, ifMatch(request)) }
  })

  app.patch('/tasks/:taskId/schedule', { schema: moveTask }, async (request) => {
    const { principal, params, body } = request
    const { scheduledFor } = body
    return { data: await taskService.move(principal, params.taskId, scheduledFor, ifMatch(request)) }
  })

  app.delete('/tasks/:id', { schema: deleteTask }, async (request) => {
    return { data: await taskService.remove(request.principal, request.params.id, ifMatch(request)) }
  })
}
