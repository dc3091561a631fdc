import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { App, Kernel, Request as PlatformRequest, Reply } from 'agent-platform'
import { closed, forbidden, invalid } from 'agent-platform'
import type { Agents } from '../agents/contract.ts'
import { callServer, endSession, openStream } from './schemas.ts'
import type { McpService } from './services/mcp-service.ts'
import type { OpenRequests } from './services/open-requests.ts'
import type { McpServerSettings } from './settings.ts'

interface Deps extends Pick<Kernel, 'detach' | 'platform'> {
  settings: McpServerSettings
  agents: Agents
  openRequests: OpenRequests
  mcpService: McpService
}

const SESSION = 'mcp-session-id'
const NOTHING = Buffer.alloc(0)

/** A message of the client's, as far as the route has to know it. */
interface Message {
  readonly method?: unknown
  readonly id?: unknown
  readonly params?: { readonly requestId?: unknown }
}

export function mcpServerRoutes(
  app: App,
  { settings, platform, agents, openRequests, mcpService, detach }: Deps
) {
  const allowed = new Set([
    new URL(platform.baseUrl).origin,
    ...settings.origins.split(',').map((it) => it.trim())
  ])

  async function handle(request: PlatformRequest, reply: Reply) {
    const { principal: by, query, headers } = request
    refuseOrigin(headers.origin)
    const { agentId } = query as { agentId?: string }
    if (agentId !== undefined) await agents.owned(by, agentId, 'run', 'agentId')
    if (Array.isArray(request.body)) throw invalid('', 'Batches are not supported')
    const body = request.body as Message | undefined
    const session = headers[SESSION]?.toString()
    cancelNamed(request, body, session)
    const open = isId(body?.id) && session !== undefined ? openRequests.open(by, session, body.id) : undefined
    const cancelled = open?.signal ?? new AbortController().signal
    if (open) reply.raw.once('close', open.close)
    const signal = AbortSignal.any([closed(reply), cancelled])
    const key = headers['idempotency-key']?.toString()
    const answer = await mcpService.answer(requestOf(request, signal), body, { by, agentId, cancelled, key })
    if (body?.method === 'initialize' && answer.ok) reply.header(SESSION, session ?? randomUUID())
    // A long reply ends with the credential or the pack, not with the generation that began it.
    if (isStream(answer)) detach(request, () => reply.raw.destroy())
    return respond(reply, answer)
  }

  /** A page of another site, in the browser of a caller. */
  function refuseOrigin(origin: string | undefined): void {
    if (origin === undefined || allowed.has(origin)) return
    if (!platform.production && isLoopback(origin)) return
    throw forbidden('Pages of that origin are not served', { code: 'origin_refused' })
  }

  function cancelNamed(
    { principal }: PlatformRequest,
    body: Message | undefined,
    session: string | undefined
  ) {
    const id = body?.method === 'notifications/cancelled' ? body.params?.requestId : undefined
    if (isId(id) && session !== undefined) openRequests.cancel(principal, session, id)
  }

  const requestOf = ({ raw, url, method }: PlatformRequest, signal: AbortSignal): Request => {
    const headers = new Headers()
    for (const [name, value] of Object.entries(raw.headers))
      if (FORWARDED.test(name)) headers.set(name, String(value))
    return new Request(new URL(url, platform.baseUrl), { method, headers, signal })
  }

  app.post('/mcp', { schema: callServer, config: { repeats: 'own', tokens: 'agents' } }, (request, reply) =>
    handle(request as PlatformRequest, reply as Reply)
  )
  app.get('/mcp', { schema: openStream, config: { tokens: 'agents' } }, (request, reply) =>
    handle(request as PlatformRequest, reply as Reply)
  )
  app.delete('/mcp', { schema: endSession, config: { tokens: 'agents' } }, (request, reply) =>
    handle(request as PlatformRequest, reply as Reply)
  )
}

/** What the protocol reads; a credential is none of it. */
const FORWARDED = /^(?:accept|content-type|last-event-id|mcp-[a-z-]+)$/

const isId = (id: unknown): id is string | number => typeof id === 'string' || typeof id === 'number'
const isLoopback = (origin: string): boolean =>
  /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(URL.parse(origin)?.hostname ?? '')
const isStream = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('text/event-stream') === true

async function respond(reply: Reply, answer: Response) {
  reply.code(answer.status).headers(Object.fromEntries(answer.headers))
  if (answer.body === null) return reply.send()
  if (!isStream(answer)) return reply.send(Buffer.from(await answer.arrayBuffer()))
  // Its headers are sent before the first event, which may come much later.
  reply.raw.once('pipe', () => reply.raw.write(NOTHING))
  return reply.send(Readable.fromWeb(answer.body as never))
}
