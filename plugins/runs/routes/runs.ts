import type { App, Reply, Request, Streams } from 'agent-platform'
import { answerQuestion, decideCall } from '../schemas/decisions.ts'
import { answerCall, cancelRun, followRun, readRun, resumeRun } from '../schemas/runs.ts'
import type { Answers } from '../services/answers.ts'
import type { Decisions } from '../services/decisions.ts'
import type { QuestionAnswers } from '../services/questions.ts'
import type { RunService } from '../services/runs.ts'

interface Deps {
  streams: Streams
  answers: Answers
  decisions: Decisions
  questionAnswers: QuestionAnswers
  runService: RunService
}

export function ownRunRoutes(app: App, { streams, answers, decisions, questionAnswers, runService }: Deps) {
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

  app.post('/agents/runs/:runId/approvals/:callId', { schema: decideCall }, async (request) => {
    const { principal, params, body } = request
    return { data: await decisions.decide(principal, params.runId, params.callId, body) }
  })

  app.post('/agents/runs/:runId/elicitations/:elicitationId', { schema: answerQuestion }, async (request) => {
    const { principal, params, body } = request
    return { data: await questionAnswers(principal, params.runId, params.elicitationId, body) }
  })
}
