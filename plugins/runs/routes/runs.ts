import type { App, Reply, Request, Streams } from 'agent-platform'
import { answerCall, cancelRun, followRun, readRun, resumeRun } from '../schemas.ts'
import type { Answers } from '../services/answers.ts'
import type { RunService } from '../services/runs.ts'

interface Deps {
  streams: Streams
  answers: Answers
  runService: RunService
}

export function ownRunRoutes(app: App, { streams, answers, runService }: Deps) {
  const serve = async (request: Request, reply: Reply) => {
    const { runId } = request.params as { runId: string }
    const { project, id } = await runService.find(request.principal, runId, 'read')
    await streams.serve(request, reply, { project, stream: id, idField: 'runId' })
    return reply
  }

  app.get('/agents/runs/:runId', { schema: readRun }, async ({ principal, params }) => {
    return { data: await runService.read(principal, params.runId) }
  })

  app.post('/agents/runs/:runId/cancel', { schema: cancelRun }, async ({ principal, params }) => {
    return { data: await runService.cancel(principal, params.runId) }
  })

  app.post('/agents/runs/:runId/stream', { schema: resumeRun }, (request, reply) =>
    serve(request as Request, reply as Reply)
  )
  app.get('/agents/runs/:runId/stream', { schema: followRun }, (request, reply) =>
    serve(request as Request, reply as Reply)
  )

  app.post('/agents/cli-tool-result', { schema: answerCall }, async ({ principal, body }) => {
    return { data: await answers.answer(principal, body) }
  })
}
