import type { Readable } from 'node:stream'
import type { Kernel, Principal } from 'agent-platform'
import { unavailable, upstreamFailed, upstreamTimeout } from 'agent-platform'
import type { Dispatcher } from 'undici'
import type { ComputeConnections } from './connections.ts'
import { incoming, outgoing } from './headers.ts'
import type { ComputeSettings } from './settings.ts'

export type ComputeService = ReturnType<typeof createComputeService>

/** A request to send on. */
export interface Forwarded {
  readonly id: string
  readonly method: string
  /** Path and query, as they were sent. */
  readonly target: string
  /** Names and values in turn, as they came. */
  readonly headers: readonly string[]
  readonly body: Readable | undefined
  /** Ends the request: the caller has left. */
  readonly left: AbortSignal
}

/** The compute service's own reply, whatever its status. */
export interface ComputeReply {
  readonly status: number
  readonly headers: Record<string, string | string[]>
  /** Fails where the reply breaks off or pauses for too long. */
  readonly body: Readable
}

interface Deps extends Pick<Kernel, 'envelope' | 'log'> {
  settings: ComputeSettings
  computeConnections: Promise<ComputeConnections | undefined>
}

const TIMEOUTS = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'ETIMEDOUT'])

export function createComputeService({ envelope, log, settings, computeConnections }: Deps) {
  /**
   * Sends a request on as this principal. 413 for a body beyond the limit, 502 where the compute service
   * cannot be reached or gives no valid reply, 503 where none is configured, 504 where it takes too long.
   */
  async function forward(by: Principal, request: Forwarded): Promise<ComputeReply> {
    try {
      return await send(by, request)
    } catch (error) {
      request.body?.destroy()
      throw error
    }
  }

  async function send(by: Principal, request: Forwarded): Promise<ComputeReply> {
    const connections = await computeConnections
    if (!connections)
      throw unavailable('The capability compute is not configured: set COMPUTE_URL', {
        code: 'capability_missing'
      })
    const { pool, origin, base } = connections
    const statement = await envelope.sign(by, settings.audience ?? origin, request.id)
    const reply = await pool
      .request({
        method: request.method as Dispatcher.HttpMethod,
        path: base + request.target,
        headers: [
          ...outgoing(request.headers),
          'x-principal-envelope',
          statement,
          'x-request-id',
          request.id
        ],
        body: request.body ?? null,
        signal: request.left,
        headersTimeout: settings.firstByteTimeout,
        bodyTimeout: settings.idleTimeout
      })
      .catch((error) => {
        throw failureOf(error)
      })
    reply.body.once('error', (error) => {
      if (!request.left.aborted)
        log.warn({ requestId: request.id, code: codeOf(error) }, 'the compute service broke its reply off')
    })
    return { status: reply.statusCode, headers: incoming(reply.headers), body: reply.body }
  }

  return { forward }
}

const codeOf = (error: unknown): string => {
  const { code, name } = error as { code?: string; name: string }
  return code ?? name
}

/** Of what went wrong only the code is kept: the rest may hold a part of the reply. */
function failureOf(error: unknown): Error {
  if (error instanceof Error && 'kind' in error) return error
  const code = codeOf(error)
  const cause = new Error(`compute service: ${code}`)
  return TIMEOUTS.has(code)
    ? upstreamTimeout('The compute service did not answer in time', { cause })
    : upstreamFailed('The compute service cannot be reached or gave no valid reply', { cause })
}
