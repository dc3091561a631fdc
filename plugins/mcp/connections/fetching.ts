import { extractWWWAuthenticateParams } from '@modelcontextprotocol/client'
import { upstreamFailed } from 'agent-platform'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { Allowance } from './allowance.ts'
import { currentExchange } from './exchange.ts'
import { limitStream } from './stream-limits.ts'
import type { Challenge, HttpTarget } from './target.ts'
import { AccessNeeded } from './target.ts'

const TAKEN_MS = 30_000

type Init = RequestInit & { readonly signal?: AbortSignal | null }

/**
 * The `fetch` of the connection to one server: guarded, capped, and the only place where the server is shown its
 * credential. A request ends with the exchange that it belongs to.
 */
export function createServerFetch(
  outgoing: () => Outgoing,
  target: HttpTarget,
  shared: Allowance,
  lost: (error?: unknown) => void
) {
  const { url: server, credential } = target

  async function send(url: URL, init: Init, headers: Headers) {
    const exchange = belongs(init) ? currentExchange() : undefined
    const isPost = init.method === 'POST'
    if (!isPost && !exchange) shared.requests(1)
    const signals = [init.signal, exchange?.signal].filter((it) => it != null)
    const reply = await outgoing().fetch(url, {
      method: init.method ?? 'GET',
      headers: [...headers],
      body: init.body as string | undefined,
      redirect: 'manual',
      signal: AbortSignal.any(signals),
      maxBytes: Number.POSITIVE_INFINITY,
      // An answer or a notification is taken, and that is all.
      timeoutMs: isPost && !exchange ? TAKEN_MS : null
    })
    const isStream = /^text\/event-stream\b/i.test(reply.headers.get('content-type') ?? '')
    const isForAll = isStream && !isPost && !headers.has('last-event-id')
    const body = limitStream(reply.body as ReadableStream<Uint8Array> | null, {
      allowance: exchange?.allowance ?? shared,
      isStream,
      failed: (error) => (exchange ? exchange.fail(error) : lost(error)),
      ended(resumable) {
        // The older transport's answers all come on that one stream.
        if (isForAll && target.transport === 'sse') lost()
        // A server that hung up answers no more: without this the call would wait for its time limit.
        if (isStream && !resumable) exchange?.end(noAnswer(target))
      }
    })
    return new Response(body, {
      status: reply.status,
      statusText: reply.statusText,
      headers: [...reply.headers]
    })
  }

  return async function serverFetch(address: string | URL, init: Init = {}): Promise<Response> {
    const url = new URL(address)
    // The SDK follows redirects within the origin and endpoints named by the server: never another one.
    if (url.origin !== server.origin)
      throw upstreamFailed(`MCP server ${target.name} redirects to another origin, which is not allowed`, {
        code: 'redirected'
      })
    for (let again = false; ; again = true) {
      const shown = await credential.headers()
      const headers = new Headers(init.headers)
      for (const [name, value] of Object.entries(shown)) headers.set(name, value)
      const reply = await send(url, init, headers)
      const challenge = challengeOf(reply)
      if (!challenge) return reply
      await reply.body?.cancel()
      if (again || !(await credential.refused(shown, challenge))) throw new AccessNeeded(challenge)
    }
  }
}

/** Of what is sent only requests end with their exchange: that one was cancelled has yet to be sent. */
function belongs({ method, body }: Init): boolean {
  if (method !== 'POST') return true
  if (typeof body !== 'string') return false
  const message = JSON.parse(body) as { id?: unknown; method?: unknown }
  return message.id !== undefined && message.method !== undefined
}

function challengeOf(reply: Response): Challenge | undefined {
  const { status } = reply
  if (status !== 401 && status !== 403) return undefined
  const { resourceMetadataUrl, scope, error } = extractWWWAuthenticateParams(reply)
  if (status === 403 && error !== 'insufficient_scope') return undefined
  return { status, ...(resourceMetadataUrl && { resourceMetadataUrl }), ...(scope && { scope }) }
}

const noAnswer = ({ name }: HttpTarget) => upstreamFailed(`${name} ended its reply without an answer`)
