import type { App, Reply, Request, Streams } from 'agent-platform'
import { runAgent, streamRun } from '../schemas/runs.ts'
import type { Admission } from '../services/admission.ts'
import type { RunService } from '../services/runs.ts'

interface Deps {
  streams: Streams
  admission: Admission
  runService: RunService
}

// A repeated run attaches to the first one.
const config = { repeats: 'own' } as const

export function runRoutes(app: App, { streams, admission, runService }: Deps) {
  const admit = async ({ principal, body, headers }: Request, reply: Reply) => {
    const key = headers['idempotency-key']?.toString()
    const admitted = await admission.admit(principal, body as never, key)
    reply.header('x-run-id', admitted.run.id)
    if (admitted.repeated) reply.header('idempotency-replayed', 'true')
    return admitted
  }

  app.post('/agents/run', { schema: runAgent, config }, async (request, reply) => {
    const { run, live } = await admit(request as Request, reply as Reply)
    return { data: await runService.answer(run, live, leaving(reply as Reply)) }
  })

  app.post('/agents/run/stream', { schema: streamRun, config }, async (request, reply) => {
    const { run } = await admit(request as Request, reply as Reply)
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

/** Aborted when the caller goes away: nothing is cancelled by that, but nobody waits for the answer any more. */
function leaving({ raw }: Reply): AbortSignal {
  const left = new AbortController()
  raw.once('close', () => raw.writableFinished || left.abort(new Error('The caller left')))
  return left.signal
}
