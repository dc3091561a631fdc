import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Static, TObject } from 'typebox'
import type { Trx } from '../database/transaction.ts'
import type { Fact } from '../events/fact.ts'
import type { Access, Identify, SocketAccess } from '../http/access.ts'
import type { Principal } from '../identity/ownership.ts'
import type { App } from './app.ts'
import type { Facts, Points, Services } from './declarations.ts'
import type { Execution } from './execution.ts'
import type { Kernel } from './kernel.ts'

// What a route says about itself, in its `config`.
declare module 'fastify' {
  interface FastifyContextConfig extends Access {}
  interface FastifyRequest {
    principal: Principal
  }
}

/** Opens a socket after its upgrade request was let in. */
export type Open = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  by: Principal,
  params: Readonly<Record<string, string | undefined>>
) => void

/** Deletes up to `limit` rows of what is gone; says how many, and is asked again until 0. */
export type RemoveSome = (
  gone: { readonly project: string; readonly id: string },
  trx: Trx,
  limit: number
) => Promise<number>

// biome-ignore lint/suspicious/noExplicitAny: a factory's dependencies are checked where the pack is defined
type Factories = Record<string, (deps: any) => unknown>
/** What a pack is given: its own services, before what the kernel may have under the same name. */
export type Deps<
  R extends keyof Services,
  U extends keyof Services,
  F extends Factories,
  S extends TObject
> = Omit<Kernel, string extends keyof F ? never : keyof F> & {
  readonly settings: Static<S>
} & { [K in keyof F]: ReturnType<F[K]> } & Pick<Services, R> & { [K in U]: Services[K] | undefined }

/** One fact at a time, in the order of the outbox. */
type OnFact<D, T> = (deps: D) => (fact: Fact<T>, trx: Trx) => Promise<void>
/**
 * Those of a name that are there together, at least one, of any projects, so that a statement may do for all of them. Facts of one
 * subject are in order, also with those of other names; those of others may stand before what was recorded earlier. When it
 * fails, all is undone, and it is called again with one fact at a time.
 */
type OnFacts<D, T> = (deps: D) => (facts: readonly Fact<T>[], trx: Trx) => Promise<void>

/**
 * What a pack is. In the life of a version the kernel comes to it in this order:
 *
 * 1. `migrations/` are applied, and `settings` are read and checked
 * 2. `services` are made, each once, and `exports` of them for the packs that come after
 * 3. `start`: opens what they need, and does nothing yet
 * 4. `contributes`, `on`, `cascade`, `steps` and `executions` are made
 * 5. `plugins` and `routes` are mounted, and `upgrade`
 * 6. the swap: from here on requests, facts and steps come to this version, while the one before finishes its own
 * 7. `resume`: goes on with what the record says is unfinished
 * 8. `stop`: after its last request, when another version has taken over, or the pack or the process goes
 *
 * A failure up to 5 leaves nothing behind but migrations: the version before goes on.
 */
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
  readonly upgrade?: Readonly<
    Record<string, Omit<SocketAccess, 'by'> & { by?(deps: D): Identify; open(deps: D): Open }>
  >
  /** Inert while the point's owner is off. */
  readonly contributes?: {
    readonly [P in keyof Points]?: readonly {
      readonly key?: string
      readonly order?: number
      readonly make: (deps: D) => Points[P]
    }[]
  }
  /**
   * What it does about facts, in the transaction that marks them as handled. Names with the same function as their `batch` have
   * their facts handed over together.
   */
  readonly on?: {
    readonly [F in keyof Facts]?: OnFact<D, Facts[F]> | { readonly batch: OnFacts<D, Facts[F]> }
  }
  /**
   * Rows that go with something of another pack, by the fact that says it is gone: `{ 'agents.deleted': { goal:
   * 'agentId' } }` deletes from the pack's table `goal` where `agentId` is the fact's subject. In batches, soon after
   * the fact, also after a crash, and later for a pack that was off. A table without `id` takes `removeRows`; what no table
   * and column can say is a function of the pack's own.
   */
  readonly cascade?: {
    readonly [F in keyof Facts]?: Readonly<Record<string, string | ((deps: D) => RemoveSome)>>
  }
  /** One step of long work each; between steps everything lies in the record. `handOver` says: finish soon. */
  readonly steps?: Readonly<
    Record<string, (deps: D) => (id: string, handOver: AbortSignal) => Promise<'again' | 'done'>>
  >
  /** Kinds of durable work, by the names that `executions` of the kernel takes. */
  readonly executions?: Readonly<Record<string, (deps: D) => Execution>>
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
