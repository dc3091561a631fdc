// The contract between the kernel and its packs, imported as `agent-platform` by packs inside and outside
// the repository alike. docs/adr tells where and why it differs from the first sketch.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault
} from 'fastify'
import type { Knex } from 'knex'
import type { Static, TObject } from 'typebox'
import type { Cache } from './data/cache.ts'
import type { Fragment, Hot } from './data/hot.ts'
import type { Trx } from './data/transaction.ts'
import type { Vault } from './data/vault.ts'
import type { Fact, FactDetails } from './events/fact.ts'
import type { Access } from './gateway/access.ts'
import type { Credentials } from './gateway/credentials.ts'
import type { Envelope } from './gateway/envelope.ts'
import type { Hosting } from './hosting/info.ts'
import type { Owned, Principal } from './ownership.ts'
import type { Streams } from './streams/log.ts'

export { isDatabaseAway } from './data/connect.ts'
export { textGiven } from './data/hot.ts'
export {
  conflict,
  failureTypes,
  forbidden,
  insufficientStorage,
  invalid,
  notFound,
  paymentRequired,
  rateLimited,
  tooLarge,
  unauthenticated,
  unavailable,
  unsupportedMedia,
  upstreamFailed,
  upstreamTimeout
} from './errors.ts'
export type { Usage } from './events/fact.ts'
export { newId, typeOfId } from './ids.ts'
export type { Verb } from './ownership.ts'
export { current, owned, reach, reachOwner } from './ownership.ts'
export { Changes, Data, Deleted, ifMatch, OrNull, Page, Paging, paginate, Time } from './schemas.ts'
export type { Chunk, Said, Writer } from './streams/log.ts'
export { isTimeOver, timeBoxed } from './time-box.ts'
export type {
  Access,
  Cache,
  Credentials,
  Envelope,
  Fact,
  FactDetails,
  Fragment,
  Hosting,
  Hot,
  Owned,
  Principal,
  Streams,
  Trx,
  Vault
}

// ── What packs tell each other. A pack's contract.ts adds to these three by declaration merging; the name is
//    the identity, so a reload never makes a second one, and a pack that is missing leaves no import behind.

/** Services that a pack exports under its own name, for packs that require or use it. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Services {}
/** Extension points, named `<owner>.<point>`: the owner asks for what others contribute. */
export interface Points {
  'platform.greeting': Greeting
}
/** Past-tense facts, named `<pack>.<fact>`, written in the transaction that made them true. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Facts {}

// ── The kernel's own point: what a developer is told once the platform is ready, outside production.

export interface Greeting {
  /** Asked at each start; lines are shown in the order of the contributions. Never with a secret in them. */
  greet(to: Greeted): Promise<readonly GreetingLine[]>
}

/** Who is greeted, and how he reaches the platform from this machine. */
export interface Greeted {
  readonly by: Principal
  /** Without a slash at its end. */
  readonly url: string
  /** What `curl` is given to be let in, as words of the shell; empty where nothing is needed. */
  readonly credential: string
}

/** Something to know under a label of a word, or a command to paste into a shell under a label that introduces it. */
export interface GreetingLine {
  readonly label: string
  readonly text: string
  readonly isCommand?: boolean
}

// ── What the kernel gives to every pack.

export interface Kernel {
  readonly knex: Knex
  readonly log: FastifyBaseLogger
  /** What this process is. `production` is `NODE_ENV=production` and nothing else. */
  readonly platform: { readonly version: string; readonly production: boolean; readonly baseUrl: string }
  transaction<T>(work: (trx: Trx) => Promise<T>): Promise<T>
  /** The few connections of the hot path: named prepared statements, generic plans. */
  readonly hot: Hot
  readonly facts: {
    /** An outbox row now; after the commit each listening pack handles it, its effects exactly once. */
    record<N extends keyof Facts & string>(
      trx: Trx,
      name: N,
      by: Principal,
      fact: FactDetails<Facts[N]>
    ): Promise<void>
    /** The same of any number as a part of a statement on the hot path; call `recorded` with them after
     *  it. `given` names a query of that statement: only facts whose subject is the `id` of a row there are recorded. */
    rows(facts: readonly Recorded[], given?: string): Fragment
    /** Wakes delivery after a statement with `rows` in it. */
    recorded(facts: readonly Recorded[]): void
  }
  /** Lossy wake-ups to every instance, this one included; never the only copy of anything. */
  readonly signals: {
    send(topic: string, data?: unknown): void
    on(topic: string, hear: (data: unknown) => void): Disposable
  }
  readonly points: {
    /** In `order`, then by pack name and key, so that a reload never reorders a prompt. */
    all<N extends keyof Points & string>(name: N): readonly Contribution<Points[N]>[]
    /** The one with that key, else the one chosen by the project, else by the deployment, else the first. */
    one<N extends keyof Points & string>(name: N, project: string, key?: string): Promise<Points[N]>
    /** The project's choice from now on; undefined resets it to the deployment's. */
    choose(name: keyof Points & string, project: string, key: string | undefined): Promise<void>
  }
  /** Durable, gapless, resumable event logs (runs, tasks, executions, spaces). */
  readonly streams: Streams
  /** Seals secrets at rest by the project's data key, bound to the place where they lie. */
  readonly vault: Vault
  /** Keys of principals, and short-lived credentials for runtimes and sandboxes that call back. */
  readonly credentials: Credentials
  readonly limits: {
    /** Counts a request that addresses an agent, once a request; 429 over the agent's limit. Background work,
     *  whose principal no request made, is not counted. */
    agent(by: Principal, agentId: string): Promise<void>
  }
  /** Signed statements of who asks, for internal services. */
  readonly envelope: Envelope
  /** Content that may be lost at any time. */
  cache(namespace: string): Cache
  /** This process among those of the platform: what it holds is free when it is dead. */
  readonly instances: {
    /** Its own number; undefined before it is registered. It gets another one after it was taken for dead. */
    id(): number | undefined
    /** Instances that were killed, cut off, or silent for 45 s. */
    dead(): Promise<readonly number[]>
  }
  /** Runs the pack's step handler `name` for `id` until it is done; each step in the generation then current. */
  advance(name: string, id: string): Promise<'done' | 'handed over'>
  /** Expensive things that outlive reloads (connections, child processes, matrices), counted by their users. */
  shared<T>(key: string, open: () => Promise<T>, close: (it: T) => Promise<void>): Promise<T>
  /** From now on the stream that answers this request is the kernel's: it outlives generations, and is closed
   *  when the credential is revoked or the pack goes. `streams.serve` does so by itself. */
  hold(request: FastifyRequest, close: () => void): void
  /** The packs themselves: their state, their changes, what is mounted. */
  readonly hosting: Hosting
}

/** A fact as `facts.rows` takes it. */
export type Recorded = {
  [N in keyof Facts & string]: FactDetails<Facts[N]> & { readonly name: N; readonly by: Principal }
}[keyof Facts & string]

export interface Contribution<T> {
  readonly pack: string
  readonly key?: string
  readonly value: T
}

// ── What a route says about itself, in its `config`.

declare module 'fastify' {
  interface FastifyContextConfig extends Access {}
  interface FastifyRequest {
    principal: Principal
  }
}
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>
export type { FastifyReply as Reply, FastifyRequest as Request }

/** Opens a socket after its upgrade request was let in. */
export type Open = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  by: Principal,
  params: Readonly<Record<string, string | undefined>>
) => void

// ── The manifest.

// biome-ignore lint/suspicious/noExplicitAny: a factory's dependencies are checked where the pack is defined
type Factories = Record<string, (deps: any) => unknown>
export type Deps<
  R extends keyof Services,
  U extends keyof Services,
  F extends Factories,
  S extends TObject
> = Kernel & {
  readonly settings: Static<S>
} & { [K in keyof F]: ReturnType<F[K]> } & Pick<Services, R> & { [K in U]: Services[K] | undefined }

export interface Pack<
  N extends string,
  R extends keyof Services,
  U extends keyof Services,
  F extends Factories,
  S extends TObject,
  D = Deps<R, U, F, S>
> {
  readonly name: N
  /** Groups packs in the README's map and in the API reference. */
  readonly area: string
  /** What it is for, on one line that goes on after its name: "conversations and their messages". */
  readonly summary?: string
  /** Must be on. */
  readonly requires?: readonly R[]
  /** Undefined while that pack is off. */
  readonly uses?: readonly U[]
  /** Flat. A property may name its environment variable (`env`) and be sealed (`secret`). */
  readonly settings?: S
  readonly services?: F & { [K in keyof F]: (deps: D) => unknown }
  readonly exports?: N extends keyof Services ? (deps: D) => Services[N] : never
  /** Parsers and other Fastify plugins, for this pack's routes only. */
  readonly plugins?: (app: FastifyInstance) => void
  readonly routes?: (app: App, deps: D) => void
  /** By path. Sockets belong to the kernel: closed when the pack goes or the credential is revoked. */
  readonly upgrade?: Readonly<Record<string, Pick<Access, 'scope' | 'root'> & { open(deps: D): Open }>>
  /** Inert while the point's owner is off. */
  readonly contributes?: {
    readonly [P in keyof Points]?: readonly {
      readonly key?: string
      readonly order?: number
      readonly make: (deps: D) => Points[P]
    }[]
  }
  readonly on?: {
    readonly [F in keyof Facts]?: (deps: D) => (fact: Fact<Facts[F]>, trx: Trx) => Promise<void>
  }
  /** One step of long work each; between steps everything lies in the record. `handOver` says: finish soon. */
  readonly steps?: Readonly<
    Record<string, (deps: D) => (id: string, handOver: AbortSignal) => Promise<'again' | 'done'>>
  >
  /** Before the swap: opens things, does nothing yet. Undone by `stop`. Both run in every generation. */
  readonly start?: (deps: D) => Promise<void>
  readonly stop?: (deps: D) => Promise<void>
  /** After the swap, in every generation: goes on with what the record says is unfinished. */
  readonly resume?: (deps: D) => Promise<void>
}

export const definePack = <
  const N extends string,
  const R extends keyof Services = never,
  const U extends keyof Services = never,
  F extends Factories = Record<never, never>,
  S extends TObject = TObject<Record<never, never>>
>(
  pack: Pack<N, R, U, F, S>
) => pack
