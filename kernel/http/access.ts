import type { FastifyRequest } from 'fastify'
import type { Principal } from '../identity/ownership.ts'

/** What may stand for a credential: the same of a request and of an upgrade request. */
export type Asked = Pick<FastifyRequest, 'headers' | 'params' | 'query' | 'url' | 'ip'>
/** Throws unless it finds who asks. */
export type Identify = (request: Asked) => Promise<Principal>

/** What a socket says about itself. */
export interface SocketAccess extends Pick<Access, 'scope' | 'principals' | 'limit' | 'root' | 'tokens'> {
  /** What stands for a credential, such as a ticket in the path. */
  by?: Identify
}

/** What a route says about itself, in its `config`. */
export interface Access {
  /** Any of these scopes, of every credential. Left out, ownership decides, and a narrowed credential is asked for the
   *  pair of the route's area, such as `goals:read`. */
  scope?: readonly string[]
  /** Left out: a bearer credential. A function, before the body is parsed: a path token or OAuth state stands for
   *  one; its principal is limited like any other, a refusal costs the address, and `x-initiator` means nothing. `optional`: a bearer credential where one is given, else the
   *  request has no principal, and is limited as a public one. */
  by?: 'public' | 'optional' | Identify
  /** Types of principals that may do it at all; others are 403. Left out: any. */
  principals?: readonly Principal['type'][]
  /**
   * Lets in tokens that holders of keys narrowed, which all other routes refuse. `agents`: also those that are for some agents
   * alone, as all that it shows or does is of rows of agents, by `owned` and `reach`. It makes nothing that acts by itself, later
   * or as someone else.
   */
  tokens?: 'whole' | 'agents'
  /** `none`, of public routes: not counted, as what it gives lies in memory and is the same for all. */
  limit?: 'sensitive' | 'none'
  /** Names of properties of the reply's `data` that are one-time secrets: never stored for a repetition. */
  secret?: string | readonly string[]
  /** `own`: the route itself sees to it that a request with an `Idempotency-Key` is not done twice. */
  repeats?: 'own'
  /** `raw`: the body as a Buffer; `stream`: nothing is read, the handler has `request.raw`. */
  body?: 'raw' | 'stream'
  /** Greatest body in bytes, instead of 1 MiB. */
  bodyLimit?: number
  /** How it may fail beside what every route answers, for the OpenAPI document. */
  failures?: readonly ('paymentRequired' | 'upstream' | 'upstreamTimeout')[]
  /** What it answers has no end: a caller reads until it goes. */
  endless?: true
  /** Mounted outside /v1. */
  root?: true
}
