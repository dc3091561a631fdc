import type { App, Reply, Request, Streams } from 'agent-platform'
import { closed, readTraceparent } from 'agent-platform'
import type { RunService } from '../run-service.ts'
import { runAgent, streamRun } from '../schemas/runs.ts'
import type { StartRun } from '../start/start-run.ts'

interface Deps {
  streams: Streams
  startRun: StartRun
  runService: RunService
}

// A repeated run attaches to the first one.
const config = {
  scope: ['agents:run'],
  repeats: 'own',
  tokens: 'agents',
  failures: ['paymentRequired', 'upstream', 'upstreamTimeout']
} as const

export function runRoutes(app: App, { streams, startRun, runService }: Deps) {
  const start = async ({ principal, body, headers }: Request, reply: Reply) => {
    const key = headers['idempotency-key']?.toString()
    const traceparent = headers.traceparent?.toString()
    const context = readTraceparent(traceparent) && traceparent
    const started = await startRun(principal, body as never, key, undefined, context)
    reply.header('x-run-id', started.run.id)
    if (started.repeated) reply.header('idempotency-replayed', 'true')
    return started
  }

  app.post('/agents/run', { schema: runAgent, config }, async (request, reply) => {
    const { run, live } = await start(request as Request, reply as Reply)
    return { data: await runService.answer(run, live, closed(reply)) }
  })

  app.post('/agents/run/stream', { schema: streamRun, config }, async (request, reply) => {
    const { run } = await start(request as Request, reply as Reply)
    // Of a stream that begins now nothing can have been received.
    delete request.headers['last-event-id']
    await streams.serve(request as Request, reply as Reply, {
      project: run.project,
      stream: run.id,
      idField: 'runId'
    })
    return reply
  })
}
