import type { FastifyRequest } from 'fastify'
import type { Principal } from '../ownership.ts'

/** What a route says about itself, in its `config`. */
export interface Access {
  /** Any of these scopes; left out, the specification's path table or the pack's own pair decides. */
  scope?: readonly string[]
  /** Left out: a bearer credential. A function (path, query and headers only, before the body is parsed): a
   *  path token or OAuth state stands for one; its principal is limited like any other. */
  by?: 'public' | ((request: FastifyRequest) => Promise<Principal>)
  limit?: 'sensitive'
  /** Name of the property of the reply's `data` that is a one-time secret: never stored for a repetition. */
  secret?: string
  /** `own`: the route itself sees to it that a request with an `Idempotency-Key` is not done twice. */
  repeats?: 'own'
  /** `raw`: the body as a Buffer; `stream`: nothing is read, the handler has `request.raw`. */
  body?: 'raw' | 'stream'
  /** Greatest body in bytes, instead of 1 MiB. */
  bodyLimit?: number
  /** Failures after the credential as JSON-RPC 2.0 errors instead of the envelope. */
  errors?: 'json-rpc'
  /** Mounted outside /v1. */
  root?: true
}
