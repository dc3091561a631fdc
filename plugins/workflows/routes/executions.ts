import type { App, Streams } from 'agent-platform'
import type { ExecutionService } from '../executions/execution-service.ts'
import type { WaitingSteps } from '../executions/waiting-steps.ts'
import { sendEvent } from '../schemas/events.ts'
import {
  approveStep,
  cancelExecution,
  executeWorkflow,
  followExecution,
  listExecutions,
  readExecution,
  rejectStep
} from '../schemas/executions.ts'
import { listWaitingSteps } from '../schemas/waiting.ts'

interface Deps {
  streams: Streams
  executionService: ExecutionService
  waitingSteps: WaitingSteps
}

/** Steps are done with what the token leaves that asks for it. What they wait for from outside is not for a token to say. */
const config = { tokens: 'whole' } as const
/** What an agent asks for is not for an agent to allow. */
const principals = ['user', 'service'] as const

export function executionRoutes(app: App, { streams, executionService, waitingSteps }: Deps) {
  const one = '/workflows/:id/executions/:executionId'

  app.post(
    '/workflows/:id/execute',
    { schema: executeWorkflow, config },
    async ({ principal, params, body }, reply) => {
      const execution = await executionService.execute(principal, params.id, body ?? {})
      return reply.code(201).send({ data: execution })
    }
  )

  app.get(
    '/workflows/waiting',
    { schema: listWaitingSteps, config: { principals } },
    ({ principal, query }) => waitingSteps.list(principal, query)
  )

  app.get('/workflows/:id/executions', { schema: listExecutions, config }, ({ principal, params, query }) =>
    executionService.list(principal, params.id, query)
  )

  app.get(one, { schema: readExecution, config }, async ({ principal, params }) => {
    return { data: await executionService.read(principal, params.id, params.executionId) }
  })

  app.get(`${one}/stream`, { schema: followExecution, config }, async (request, reply) => {
    const { principal, params } = request
    const { project, id } = await executionService.find(principal, params.executionId, 'read', params.id)
    await streams.serve(request, reply, { project, stream: id, idField: 'executionId' })
    return reply
  })

  app.post(`${one}/cancel`, { schema: cancelExecution, config }, async ({ principal, params }) => {
    return { data: await executionService.cancel(principal, params.id, params.executionId) }
  })

  app.post(
    `${one}/events`,
    { schema: sendEvent, config: { principals } },
    async ({ principal, params: { id, executionId }, body }, reply) => {
      return reply
        .code(202)
        .send({ data: await executionService.sendEvent(principal, id, executionId, body) })
    }
  )

  const decisions = { approve: approveStep, reject: rejectStep } as const
  for (const decision of ['approve', 'reject'] as const)
    app.post(
      `${one}/${decision}`,
      { schema: decisions[decision], config: { principals } },
      async ({ principal, params: { id, executionId }, body }) => {
        return { data: await executionService.decide(principal, id, executionId, decision, body ?? {}) }
      }
    )
}
