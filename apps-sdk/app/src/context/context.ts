import type { PlatformOf } from './platform.ts'
import type { Storage } from './storage.ts'

/** On whose behalf, and in what, a function is called. */
export interface About {
  readonly callerId: string
  /** Of a call by an agent. */
  readonly agentId?: string
  readonly runId?: string
  /** A tag of BCP 47. */
  readonly locale?: string
}

/** Lines of the app's log. */
export type Console = {
  readonly [Level in 'debug' | 'log' | 'info' | 'warn' | 'error']: (...values: readonly unknown[]) => void
}

export interface AppFetchInit<Connection extends string = string> extends RequestInit {
  /** The connection whose key the platform adds to the request. */
  readonly connection?: Connection
}

/** `fetch` of the Web, without streams, to the hosts that the app was granted. */
export type AppFetch<Connection extends string = string> = (
  input: string | URL | Request,
  init?: AppFetchInit<Connection>
) => Promise<Response>

/** Any method by its name, such as a capability that these types know nothing of. */
export type Call = (method: string, params?: unknown) => Promise<unknown>

/**
 * What acts for the caller of a function, and is dead when the call has ended. What is refused is thrown as an `Error` with a
 * `code`, such as `capability_not_granted`.
 */
export interface Context<Capability extends string = string, Connection extends string = string> {
  readonly platform: PlatformOf<Capability>
  readonly storage: Storage
  readonly fetch: AppFetch<Connection>
  readonly call: Call
  readonly console: Console
  /** Aborted when the caller has left. */
  readonly signal: AbortSignal
  readonly about: About
}

type NamesIn<M> = M extends { readonly capabilities: readonly { readonly name: infer N extends string }[] }
  ? N
  : never
type ConnectionsIn<M> = M extends {
  readonly connections: readonly { readonly key: infer K extends string }[]
}
  ? K
  : never

/** The context of functions of an app with that manifest: `platform` has what it asks for. */
export type ContextOf<M> = Context<NamesIn<M>, ConnectionsIn<M>>
