import type { Failure } from '../contract/errors.ts'
import type { Paging } from '../contract/schemas.ts'
import type { ReplicaState } from '../database/replica.ts'
import type { Fact } from '../events/fact.ts'
import type { DeadLettered } from '../events/facts.ts'
import type { Backlog } from '../events/facts-held.ts'
import type { MountedRoute } from '../http/routes.ts'
import type { Principal } from '../identity/ownership.ts'
import type { Patch, Sourced } from './desired/desired.ts'
import type { ChangeRecord, Latency } from './desired/records.ts'
import type { InstanceState, PackStatus } from './desired/states.ts'

/** A fact that a pack could not handle and that was set aside. */
export type DeadLetteredFact = Pick<Fact, 'id' | 'name' | 'subject'> &
  Pick<DeadLettered, 'attempts' | 'error' | 'deadLetteredAt'>

/** A pack as an operator sees it. */
export interface PackInfo {
  readonly name: string
  readonly area: string | null
  readonly summary: string | null
  /** On the instance that answers. */
  readonly status: PackStatus
  readonly reason: string | null
  readonly enabled: Sourced<boolean>
  readonly settings: Record<string, Sourced<unknown>>
  /** JSON Schema; null of a pack without settings, or whose code cannot be read. */
  readonly settingsSchema: Readonly<Record<string, unknown>> | null
  readonly requires: string[]
  readonly uses: string[]
  /** Version that runs here, and the one that is desired everywhere. */
  readonly digest: string | null
  readonly desiredDigest: string | null
  /** Digest of its folder of pages as that is now, which belongs to no version; null where it has none. */
  readonly page: string | null
  readonly instances: InstanceState[]
  readonly deadLettered: DeadLetteredFact[]
}

/** What was taken away of a pack. */
export interface RemovedPack {
  readonly name: string
  /** Names of settings that were set over the API. */
  readonly settings: string[]
  /** Projects' choices of what it contributed, and at points of its own. */
  readonly choices: number
  /** Facts that waited for it or were dead-lettered. */
  readonly facts: number
  /** Of its schema, with what stood in them; none where the data stay. */
  readonly tables: string[]
  readonly migrations: string[]
}

export interface MountedPack {
  readonly name: string
  readonly area: string
  readonly summary: string | null
  readonly routes: readonly MountedRoute[]
}

/** The packs themselves, for the packs that show and change them. */
export interface PackApi {
  list(): Promise<PackInfo[]>
  /** 404 where no instance ever heard of it. */
  show(pack: string): Promise<PackInfo>
  /** Applied here before it returns; 409 with the reason when it is refused. */
  change(by: Principal, pack: string, patch: Patch): Promise<PackInfo>
  /** Builds it anew from the files that are there now. */
  reload(by: Principal, pack: string): Promise<PackInfo>
  /**
   * Turns it off on all instances, waits until no instance runs it, and forgets what was set, chosen and waits for it;
   * with `dropData` its tables too. 409 while others need it, while it is locked to be on, or when an instance does
   * not let go of it in time.
   */
  remove(by: Principal, pack: string, how?: { dropData?: boolean }): Promise<RemovedPack>
  changes(page: Paging, pack?: string): Promise<{ data: ChangeRecord[]; nextCursor: string | null }>
  /** Tries a dead-lettered fact again now; says how that went. 404 where there is none. */
  replay(pack: string, factId: string): Promise<{ handled: boolean; error?: string }>
  /** What is mounted in the generation that is current. */
  mounted(): readonly MountedPack[]
  /** Called when another generation has become current on this instance, until disposed; must be quick and must not throw. */
  onChange(hear: () => void): Disposable
  readings(): Readings
  /** How many facts each pack could not handle yet; packs without any are left out. */
  backlog(): Promise<readonly Backlog[]>
  /** Called after each request, of any generation, until disposed; must be quick and must not throw. */
  observe(hear: (seen: Seen) => void): Disposable
}

export interface Readings {
  readonly generation: number
  readonly inFlight: number
  readonly streams: number
  readonly latency: Latency
  readonly packs: Readonly<Record<PackStatus, number>>
  /** Connections to the database in use and free, callers that wait for one, and the read replica where there is one. */
  readonly database: {
    readonly used: number
    readonly free: number
    readonly waiting: number
    readonly replica: ReplicaState | undefined
  }
}

/** A request that was answered, or whose caller left (499). */
export interface Seen {
  readonly requestId: string
  readonly pack: string | undefined
  /** The route's pattern; undefined where there was none. */
  readonly route: string | undefined
  readonly method: string
  readonly status: number
  readonly ms: number
  /** Who asked; undefined where no credential was looked at. */
  readonly by: Principal | undefined
  /** What was answered with 403. */
  readonly refusal: Failure | undefined
}
