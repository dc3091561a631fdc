import type { IncomingMessage } from 'node:http'
// The global of that name is a getter, which shows at every request.
import { performance } from 'node:perf_hooks'
import type { Failure } from '../contract/errors.ts'
import type { Principal } from '../identity/ownership.ts'
import type { InFlight } from '../packs/runtime/in-flight.ts'

/** What answers a request, as far as the request is concerned. */
export interface Answering {
  readonly inFlight: InFlight
}

/** What the kernel knows of a request beside what Fastify does; it outlives the generation that answers. */
export interface Exchange {
  readonly id: string
  readonly startedAt: number
  /** As it was sent: `HEAD` goes to routes as `GET`. */
  readonly method: string
  readonly generation: Answering
  /** The route's pattern and pack, once the router has found one. */
  route: string | undefined
  pack: string | undefined
  /** The credential and principal that were let in. */
  credential: string | undefined
  principal: string | undefined
  /** The principal itself; also one that was not let in for want of a scope. */
  by: Principal | undefined
  /** Of a 403. */
  refusal: Failure | undefined
  /** When the session of a browser, or the token, that was let in ends, in milliseconds since 1970. */
  endsAt: number | undefined
  /** The failure that a 5xx hides from the caller, for the log. */
  cause: unknown
  /** Once the kernel holds the stream that answers: forgets that. */
  forget: (() => void) | undefined
}

// On the request itself: a WeakMap with an entry a request costs more than all else that is noted here.
const place = Symbol('exchange')
type Placed = IncomingMessage & { [place]?: Exchange }

export const exchangeOf = (request: IncomingMessage): Exchange => (request as Placed)[place] as Exchange

const process_ = Math.floor(Date.now() / 1000).toString(36) + Math.random().toString(36).slice(2, 12)
let count = 0

/** Unique over processes and time, and cheap: it is made for every request. */
export const newRequestId = (): string => `req_${process_}${(++count).toString(36).padStart(6, '0')}`

/** Begins the exchange of a request. */
export function beginExchange(request: IncomingMessage, generation: Answering): Exchange {
  const exchange: Exchange = {
    id: newRequestId(),
    startedAt: performance.now(),
    method: request.method as string,
    generation,
    route: undefined,
    pack: undefined,
    credential: undefined,
    principal: undefined,
    by: undefined,
    refusal: undefined,
    endsAt: undefined,
    cause: undefined,
    forget: undefined
  }
  ;(request as Placed)[place] = exchange
  return exchange
}
