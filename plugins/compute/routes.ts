import type { App, Kernel, Reply, Request } from 'agent-platform'
import { bodyOf } from './bodies.ts'
import { readCompute, writeCompute } from './schemas.ts'
import type { ComputeReply, ComputeService } from './service.ts'
import type { ComputeSettings } from './settings.ts'
import { targetOf } from './targets.ts'

interface Deps extends Pick<Kernel, 'detach'> {
  settings: ComputeSettings
  computeService: ComputeService
}

export function computeRoutes(app: App, { settings: { bodyLimit }, computeService, detach }: Deps) {
  async function handler(request: Request, reply: Reply) {
    const { raw, id, method, principal } = request
    const target = targetOf(raw.url ?? '')
    const body = bodyOf(raw, bodyLimit)
    const left = leaving(reply)
    const { rawHeaders: headers } = raw
    const answer = await computeService.forward(principal, { id, method, target, headers, body, left })
    // A long reply ends with the credential or the pack, not with the generation that began it.
    detach(request, () => raw.destroy())
    return respond(reply, answer)
  }

  const config = { body: 'stream', bodyLimit, failures: ['upstream', 'upstreamTimeout'] } as const
  app.route({
    method: ['GET', 'HEAD', 'OPTIONS'],
    url: '/compute/*',
    schema: readCompute,
    config: { ...config, scope: ['compute:read'] },
    handler
  })
  app.route({
    method: ['POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/compute/*',
    schema: writeCompute,
    config: { ...config, scope: ['compute:write'] },
    handler
  })
}

const NOTHING = Buffer.alloc(0)
/** What a browser opens of it is no page of the platform, whose session it would have. */
const SANDBOX = "sandbox; frame-ancestors 'none'"

/** Aborted when the caller leaves, or has all of the reply. */
function leaving({ raw }: Reply): AbortSignal {
  const left = new AbortController()
  raw.once('close', () => left.abort())
  if (raw.destroyed) left.abort()
  return left.signal
}

/** Its headers are sent before the first byte of the body, which may come much later. */
function respond(reply: Reply, { status, headers, body }: ComputeReply) {
  // Unlike flushHeaders this leaves the bytes of header values as they are.
  reply.raw.once('pipe', () => reply.raw.write(NOTHING))
  const vary = [reply.getHeader('vary'), headers.vary].flat().filter(Boolean).join(', ')
  const policy = [headers['content-security-policy'], SANDBOX].flat().filter(Boolean).join(', ')
  return reply
    .code(status)
    .headers({ ...headers, ...(vary && { vary }), 'content-security-policy': policy })
    .send(body)
}
