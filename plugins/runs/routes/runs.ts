import type { App, Reply, Request, Streams } from 'agent-platform'
import { closed } from 'agent-platform'
import type { RunLists } from '../run-lists.ts'
import type { RunService } from '../run-service.ts'
import { answerQuestion, decideCall } from '../schemas/decisions.ts'
import { listRuns } from '../schemas/lists.ts'
import { answerCall, cancelRun, followRun, readRun, resumeRun } from '../schemas/runs.ts'
import { readSharing, shareRun } from '../schemas/sharing.ts'
import type { Sharing } from '../sharing.ts'
import type { CallerTools } from '../waits/caller-tools.ts'
import type { Decisions } from '../waits/decisions.ts'
import type { ElicitationAnswers } from '../waits/elicitation-answers.ts'

interface Deps {
  streams: Streams
  callerTools: CallerTools
  decisions: Decisions
  elicitationAnswers: ElicitationAnswers
  runService: RunService
  sharing: Sharing
  runLists: RunLists
}

// Credentials that may run agents alone follow what they began.
const reading = { scope: ['agents:read', 'agents:run'], tokens: 'agents' } as const
const writing = { scope: ['agents:write', 'agents:run'] }
/** Nothing is allowed by that which was not before. */
const byTokens = { ...writing, tokens: 'agents' } as const
/** What a model asks for is not for a model to allow or to answer. */
const principals = ['user', 'service'] as const

export function ownRunRoutes(
  app: App,
  { streams, callerTools, decisions, elicitationAnswers, runService, sharing, runLists }: Deps
) {
  const serve = async (request: Request, reply: Reply) => {
    const { runId } = request.params as { runId: string }
    const run = await sharing.find(request.principal, runId)
    const { project, id } = run
    const signal = sharing.whileAllowed(request.principal, run, reply)
    await streams.serve(request, reply, { project, stream: id, idField: 'runId', ...(signal && { signal }) })
    return reply
  }

  app.get('/runs', { schema: listRuns, config: reading }, ({ principal, query }) =>
    runLists(principal, query)
  )

  app.get('/agents/runs/:runId', { schema: readRun, config: reading }, async (request, reply) => {
    const { principal, params, query } = request
    const { runId } = params
    const run = await sharing.find(principal, runId)
    return { data: await (query.wait ? runService.settled(run, closed(reply)) : runService.show(run)) }
  })

  app.get('/agents/runs/:runId/sharing', { schema: readSharing, config: reading }, async (request) => ({
    data: await sharing.read(request.principal, request.params.runId)
  }))
  app.put(
    '/agents/runs/:runId/sharing',
    { schema: shareRun, config: { scope: ['agents:write'], principals } },
    async ({ principal, params, body }) => ({
      data: await sharing.share(principal, params.runId, body.audience)
    })
  )

  app.post(
    '/agents/runs/:runId/cancel',
    { schema: cancelRun, config: byTokens },
    async ({ principal, params }) => {
      return { data: await runService.cancel(principal, params.runId) }
    }
  )

  app.post('/agents/runs/:runId/stream', { schema: resumeRun, config: byTokens }, (request, reply) =>
    serve(request as Request, reply as Reply)
  )
  app.get('/agents/runs/:runId/stream', { schema: followRun, config: reading }, (request, reply) =>
    serve(request as Request, reply as Reply)
  )

  app.post(
    '/agents/cli-tool-result',
    { schema: answerCall, config: byTokens },
    async ({ principal, body }) => {
      return { data: await callerTools.answer(principal, body) }
    }
  )

  app.post(
    '/agents/runs/:runId/approvals/:callId',
    // The right to run an agent is no right to approve what it does.
    { schema: decideCall, config: { scope: ['agents:write'], principals } },
    async (request) => {
      const { principal, params, body } = request
      return { data: await decisions.decide(principal, params.runId, params.callId, body) }
    }
  )

  app.post(
    '/agents/runs/:runId/elicitations/:elicitationId',
    { schema: answerQuestion, config: { ...writing, principals } },
    async (request) => {
      const { principal, params, body } = request
      return { data: await elicitationAnswers(principal, params.runId, params.elicitationId, body) }
    }
  )
}
