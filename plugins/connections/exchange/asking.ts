import type { BasicCredentials } from 'agent-platform'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { Provider } from '../catalogue/provider.ts'
import { away, noReply } from './faults.ts'
import { standardReply } from './replies.ts'

/** Statuses that ask the client to come again later. */
const LATER = new Set([408, 425, 429])

/** Tokens may be long, and stand in replies with much beside them. */
const MOST_BYTES = 262_144

export interface Said {
  readonly status: number
  readonly text: string
  readonly contentType: string
  readonly retryAfter: string | null
}

interface Order {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

export type Ask = (url: string, order: Order) => Promise<Said>

/** Asks a provider one thing. A secret is in it, so nothing is followed. */
export const createAsk =
  (outgoing: () => Outgoing, seconds: number): Ask =>
  async (url, { method, headers, body }) => {
    const reply = await outgoing().fetch(url, {
      method,
      headers: { 'user-agent': 'agent-platform', ...headers },
      ...(body !== undefined && { body }),
      redirect: 'error',
      maxBytes: MOST_BYTES,
      timeoutMs: seconds * 1_000
    })
    return {
      status: reply.status,
      text: await reply.text(),
      contentType: reply.headers.get('content-type') ?? '',
      retryAfter: reply.headers.get('retry-after')
    }
  }

/**
 * `fetch` for the token endpoint, which sees what the standard says and never the provider's own way of it. `basic` adds the
 * client's credentials as `Authorization`.
 */
export const createTokenFetch =
  (ask: Ask, provider: Provider, basic: BasicCredentials | undefined) =>
  async (
    url: string,
    { method, headers, body }: { method: string; headers: Record<string, string>; body: URLSearchParams }
  ): Promise<Response> => {
    const { name, headers: more, jsonRequests } = provider
    const sent = { ...headers, ...more, ...(jsonRequests && { 'content-type': 'application/json' }) }
    const text = jsonRequests ? JSON.stringify(Object.fromEntries(body)) : body.toString()
    const send = async (authorization?: string) => {
      const proof = authorization === undefined ? undefined : { authorization }
      const said = await ask(url, { method, headers: { ...sent, ...proof }, body: text })
      if (LATER.has(said.status) || said.status >= 500) throw away(name, said.status, said.retryAfter)
      return { reply: standardReply(said, provider), isUnauthorized: said.status === 401 }
    }
    const { reply } = await (basic?.(
      send,
      ({ reply, isUnauthorized }) => isUnauthorized || reply?.body.error === 'invalid_client'
    ) ?? send())
    if (!reply) throw noReply(name)
    return new Response(JSON.stringify(reply.body), {
      status: reply.status,
      headers: { 'content-type': 'application/json' }
    })
  }
