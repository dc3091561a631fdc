import type { Duplex } from 'node:stream'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import type { Knex } from 'knex'
import type { Cache } from '../database/cache.ts'
import type { Fragment, Hot } from '../database/hot.ts'
import type { Replica } from '../database/replica.ts'
import type { Trx } from '../database/transaction.ts'
import type { Vault } from '../database/vault/vault.ts'
import type { FactDetails } from '../events/fact.ts'
import type { Remember } from '../events/remembered.ts'
import type { SessionCookie } from '../http/session-cookie.ts'
import type { Credentials } from '../identity/credentials.ts'
import type { Envelope } from '../identity/envelope.ts'
import type { Principal } from '../identity/ownership.ts'
import type { Principals } from '../identity/principals.ts'
import type { Projects } from '../identity/projects.ts'
import type { Guesses } from '../limits/limits.ts'
import type { PackApi } from '../packs/info.ts'
import type { Streams } from '../streams/log.ts'
import type { Facts, Points } from './declarations.ts'
import type { Executions } from './execution.ts'

/** What the kernel gives to every pack. */
export interface Kernel {
  readonly knex: Knex
  readonly log: FastifyBaseLogger
  /** What this process is. `production` is `NODE_ENV=production` and nothing else; `dataDir` is absolute: a pack keeps what
   *  it has there in a folder of its own. */
  readonly platform: {
    readonly version: string
    readonly production: boolean
    readonly baseUrl: string
    readonly dataDir: string
    /** Takes a connection as if it had come to the port of this process: what is sent on it are requests. */
    accept(connection: Duplex): void
  }
  transaction<T>(work: (trx: Trx) => Promise<T>): Promise<T>
  /** For what only reads and may be a little behind, such as sums and long lists of what happened. */
  readonly replica: Replica
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
  /** Values by key in memory, loaded when they are first asked for, and again after a change on any instance. */
  readonly remembered: Remember
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
  /** Projects, their keys, and who may act in them, for packs that manage people. */
  readonly projects: Projects
  /** The cookie by which a browser is signed in, for packs that sign in. */
  readonly sessionCookie: SessionCookie
  /** Owners as principals, for background work. */
  readonly principals: Principals
  readonly limits: {
    /** Counts a request that addresses an agent, or what `what` names by an id of its own, once a request; 429 over its
     *  limit. Background work, whose principal no request made, is not counted. */
    agent(by: Principal, agentId: string, what?: string): Promise<void>
    /** The same principal for work that descends from a request, such as a run that another one handed on: it is
     *  counted as a request of its own. */
    descendant(by: Principal, agentId: string): Principal
    /** To be asked before a guess at a secret is looked at: counts it, for all instances together, in a window that begins
     *  with the first guess at that key, and throws 429 above `most` until the window ends. What it returns takes the guess
     *  back, when it was right. */
    guess(what: string, key: string, window: Guesses): Promise<() => Promise<void>>
    /**
     * Counts one of what the pack itself limits, over all instances: 429 for a key that had `perMinute` of that name
     * already. From memory as a rule, as instances lease ahead.
     */
    count(name: string, key: string, perMinute: number): Promise<void>
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
  /** Durable work of the pack: executed by one instance at a time, and by another when that dies. */
  readonly executions: Executions
  /** Expensive things that outlive reloads (connections, child processes, matrices), counted by their users. */
  shared<T>(key: string, open: () => Promise<T>, close: (it: T) => Promise<void>): Promise<T>
  /** From now on the stream that answers this request is the kernel's: it outlives generations, and is closed
   *  when the credential is revoked, a browser's session ends or the pack goes. `streams.serve` does so by itself. */
  detach(request: FastifyRequest, close: () => void): void
  /** The packs themselves: their state, their changes, what is mounted. */
  readonly packs: PackApi
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
