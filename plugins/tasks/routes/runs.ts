import type { App, Reply, Request, Streams } from 'agent-platform'
import { executeTask, followTask, listTaskRuns } from '../schemas/runs.ts'
import { cancelTask } from '../schemas/tasks.ts'
import { idField } from '../services/acting.ts'
import type { TaskRunService } from '../services/runs.ts'

interface Deps {
  streams: Streams
  taskRunService: TaskRunService
}

const config = { tokens: 'agents' } as const

export function taskRunRoutes(app: App, { streams, taskRunService }: Deps) {
  app.post('/tasks/:id/execute', { schema: executeTask, config }, async ({ principal, params }, reply) => {
    return reply.code(201).send({ data: await taskRunService.execute(principal, params.id) })
  })

  app.post('/tasks/:id/cancel', { schema: cancelTask, config }, async ({ principal, params }) => {
    return { data: await taskRunService.cancel(principal, params.id) }
  })

  app.get('/tasks/:id/runs', { schema: listTaskRuns, config }, ({ principal, params, query }) =>
    taskRunService.list(principal, params.id, query)
  )

  app.get('/tasks/:id/stream', { schema: followTask, config }, async (request, reply) => {
    const { principal, params, query } = request
    const found = await taskRunService.findStream(principal, params.id, query.run)
    await streams.serve(request as Request, reply as Reply, { ...found, idField })
    return reply
  })
}
