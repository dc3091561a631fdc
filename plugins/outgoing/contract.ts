import type { LookupFunction } from 'node:net'
import type { Dispatcher, RequestInit, Response } from 'undici'

/** Connections to addresses that users name. */
export interface Outgoing {
  /**
   * Connects to public addresses only, and to those that the operator allows; each address is looked at when it
   * is connected to, after its name was resolved. Follows no redirect. For undici's `request`, `stream` and
   * `WebSocket`. Fails with a 502, code `address_refused`, else with undici's own errors, which may name addresses.
   * Take it anew for each use: with other settings there is another one, and the old one is closed.
   */
  readonly dispatcher: Dispatcher
  /**
   * The global `fetch`, guarded: http and https only; at most 5 redirects, each looked at. When the origin changes,
   * of the headers only `accept`, `accept-language`, `content-type` and `user-agent` go along; the body does with
   * 307 and 308, so say `redirect: 'error'` where a secret is in it. Of `init` count `method`, `headers`, `body`,
   * `signal` and `redirect`. A call of a tool in a run sends its `traceparent`. Rejects with a 502 (code `address_refused`, `redirected`, `unreachable` where nothing was sent,
   * or none), a 504
   * (`timeoutMs`, default 30,000, for the whole exchange; null: none), a 503 while too many origins are in use, or
   * the signal's reason. The body fails alike, and past `maxBytes` (default 10 MiB, decoded) with a 502, code
   * `reply_too_large`.
   */
  fetch(url: string | URL, init?: RequestInit & OutgoingCaps): Promise<Response>
  /** The address, parsed; 400 at `param` for one that its spelling alone forbids: nothing is resolved. */
  check(url: string, param: string): URL
  /**
   * For sockets of other protocols than HTTP, as the option `lookup` of `node:net`: finds those addresses of the host that
   * may be connected to at that port, else fails as `dispatcher` does. No socket asks it about a host that is an address,
   * so for one that may not be connected to this throws that 502 at once.
   */
  lookup(host: string, port: number): LookupFunction
}

export interface OutgoingCaps {
  readonly maxBytes?: number
  readonly timeoutMs?: number | null
  /** Asked before each connection, also behind a redirect: a 403, code `host_not_allowed`, where it says no. */
  may?(url: URL): boolean
}

declare module 'agent-platform' {
  interface Services {
    outgoing: Outgoing
  }
}
