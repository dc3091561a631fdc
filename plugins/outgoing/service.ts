import type { LookupFunction } from 'node:net'
import { isIPv6 } from 'node:net'
import { currentTrace, forbidden, invalid, upstreamFailed, upstreamTimeout } from 'agent-platform'
import type { RequestInit } from 'undici'
import { fetch as exchange, FormData, Headers } from 'undici'
import { hostOf } from './addresses.ts'
import type { Connections } from './connections.ts'
import type { Outgoing, OutgoingCaps } from './contract.ts'
import { refused } from './guard.ts'
import type { Hop } from './redirects.ts'
import { follow, locationOf } from './redirects.ts'
import { failureOf, replyOf, strictly } from './replies.ts'

const MAX_REDIRECTS = 5

export function createOutgoingService({ outgoingConnections }: { outgoingConnections: Connections }) {
  const { guard } = outgoingConnections

  /** What is wrong with the spelling of an address. */
  function faultOf(url: URL | undefined): string | undefined {
    if (!url || !/^https?:$/.test(url.protocol)) return 'must be an http or https address'
    if (url.username || url.password) return 'must not contain a user or password'
    return guard.forbids(url) ? 'must be a public address' : undefined
  }

  function check(address: string, param: string): URL {
    const url = URL.canParse(address) ? new URL(address) : undefined
    const fault = faultOf(url)
    if (url && !fault) return url
    throw invalid(param, `${param} ${fault}`)
  }

  async function fetch(
    address: string | URL,
    {
      maxBytes = 10_485_760,
      timeoutMs = 30_000,
      signal,
      redirect = 'follow',
      may,
      ...init
    }: RequestInit & OutgoingCaps = {}
  ) {
    signal?.throwIfAborted()
    let hop: Hop = {
      url: parse(address),
      method: init.method?.toUpperCase() ?? 'GET',
      headers: withTrace(init.headers),
      body: formOf(init.body)
    }
    const { host } = hop.url
    const stop = new AbortController()
    const ended = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', leave)
    }
    const failed = (error: unknown) => {
      ended()
      if (!stop.signal.aborted) stop.abort(failureOf(error, host))
      return stop.signal.reason
    }
    const leave = () => {
      stop.abort(signal?.reason)
      ended()
    }
    const slow = () => failed(upstreamTimeout(`${host} did not answer in time`))
    const timer = timeoutMs === null ? undefined : setTimeout(slow, timeoutMs).unref()
    signal?.addEventListener('abort', leave)
    const dispatcher = strictly(outgoingConnections.dispatcher)
    const order = { redirect: 'manual', duplex: 'half', signal: stop.signal, dispatcher } as const

    try {
      for (let redirects = 0; ; redirects++) {
        const { url, method, headers, body } = hop
        if (faultOf(url)) throw refused(hostOf(url) || url.protocol)
        if (may?.(url) === false)
          throw forbidden(`Connecting to ${hostOf(url)} is not allowed here`, { code: 'host_not_allowed' })
        const reply = await exchange(url, { ...order, method, headers, body })
        const location = redirect === 'manual' ? undefined : locationOf(reply, hop)
        const redirected = redirects > 0
        if (!location) return replyOf(reply, { host, maxBytes, redirected, ended, failed })
        await reply.body?.cancel()
        if (redirect === 'error' || redirects === MAX_REDIRECTS)
          throw upstreamFailed(`${host} redirects${redirected ? ' too often' : ''}`, { code: 'redirected' })
        hop = follow(hop, reply.status, location)
      }
    } catch (error) {
      throw failed(error)
    }
  }

  function lookup(host: string, port: number): LookupFunction {
    // By that parser an address in any spelling is an address.
    const origin = URL.parse(`http://${isIPv6(host) ? `[${host}]` : host}:${port}`)
    if (!origin || /[/?#@\\]/.test(host) || guard.forbids(origin)) throw refused(host)
    return guard.lookupOf(origin)
  }

  return {
    check,
    fetch,
    lookup,
    /** Open once the pack has started. */
    get dispatcher() {
      return outgoingConnections.dispatcher
    }
  } satisfies Outgoing
}

function parse(address: string | URL): URL {
  if (URL.canParse(String(address))) return new URL(address)
  throw upstreamFailed('The address is not valid', { code: 'address_refused' })
}

/** The form that is in every module's reach is not undici's, which would send it as the text of an object. */
function formOf(body: RequestInit['body']): RequestInit['body'] {
  if (!(body instanceof globalThis.FormData) || (body as unknown) instanceof FormData) return body
  const form = new FormData()
  for (const [name, value] of body as unknown as globalThis.FormData) form.append(name, value)
  return form
}

/** Of what a run does, the other side is told on whose behalf (W3C Trace Context). */
function withTrace(given: RequestInit['headers']): Headers {
  const headers = new Headers(given)
  const trace = currentTrace()
  if (trace !== undefined && !headers.has('traceparent')) headers.set('traceparent', trace)
  return headers
}
