import type { Owned, PageOf, Paging, Principal, Trx, Usage, Verb } from 'agent-platform'
import type { CapabilityGrant, Grants, Narrowing } from 'agent-platform-app/grants'
import type { Manifest } from 'agent-platform-app/manifest'
import type { SandboxHealth } from '../sandbox/contract.ts'
import type { App } from './schemas/apps.ts'
import type { ConnectionEvent } from './schemas/connections.ts'
import type { AppEvent } from './schemas/events.ts'

export type { App, AppEvent }

/** An app as it is enabled: one version of it, and what that may do. */
export interface Installation extends Owned {
  /** `app_…`: of this installation, and never of another one. What is kept for an app is kept by this. */
  readonly id: string
  /** As the manifest calls the app; one of a project has it at a time. */
  readonly pluginId: string
  /** Whose pages and agents may use it: those of the owner, or of the whole project. */
  readonly audience: 'owner' | 'project'
  /** As in semver. */
  readonly version: string
  /** Of manifest and files: what has the same digest is the same. */
  readonly digest: string
  readonly manifest: Manifest
  /** What it may do now. */
  readonly grants: Grants
  /** The text of its ES module; undefined where it has no server code. Read anew each time. */
  load(): Promise<string | undefined>
}

/** Third-party apps. */
export interface UiPlugins {
  /**
   * The app as the principal may use it now: 404 where there is none, 403 where it is enabled for others, 409
   * `app_not_enabled`. From memory as a rule; after a change on this instance the new one, on others a moment later. Ask again at
   * each call of the platform that the app makes, so that grants hold from the next one on.
   */
  installation(by: Principal, pluginId: string): Promise<Installation>
  /**
   * The app, if the principal may do that with it; 404 or 403 otherwise, with `param` where the id stood in a body. Who has
   * `platform:admin` may, in the own project; `read` is also for those who may use it.
   */
  owned(by: Principal, pluginId: string, verb: Verb, param?: string): Promise<OwnedApp>
  /** Apps that the principal may use now, latest first. */
  usable(by: Principal, page: Paging): Promise<PageOf<UsableApp>>
  /**
   * How these installations stand, by id, as the transaction sees it and on its connection; without those that are gone. For handlers
   * of the facts about them, which know whose they are: no permission is checked.
   */
  states(trx: Trx, project: string, ids: readonly string[]): Promise<ReadonlyMap<string, AppState>>
  /**
   * At most so many installations of all projects that were ever enabled, by id, those after that one: for packs that keep something for
   * each of them, and were not there from the beginning. No permission is checked.
   */
  installed(after: string, limit: number): Promise<readonly InstalledApp[]>
  /** A page as `GET …/pages/:page` answers with it, of the version that is enabled; 404, 403 or 409 as that. */
  page(by: Principal, pluginId: string, page: string): Promise<string>
  /**
   * Calls a function of an enabled app, for tools and steps of workflows; gives JSON. Fails as `installation` does; 404 for a function
   * that the app does not declare, 400 at `/input` where its schema does not fit, 429 `too_many_calls` or `too_deep`, what is wrong with the
   * app as 502, 504 or 503 with the sandbox's code, or with the signal's reason. What the function threw is 502 `app_error`, or, where
   * it let through what the platform refused to it, 502 with that code. Never inside a transaction.
   */
  callFunction(
    by: Principal,
    pluginId: string,
    name: string,
    input: unknown,
    order?: FunctionOrder
  ): Promise<unknown>
  /** How an app of that owner stands in the sandbox, on this instance: undefined while that is off. */
  health(app: Owned & Pick<Installation, 'pluginId'>): SandboxHealth | undefined
}

export interface FunctionOrder {
  readonly signal?: AbortSignal
  /** Apps and agents that are calling each other already; default 0. */
  readonly depth?: number
  /** On whose turn, and in which run; the app is told. */
  readonly agentId?: string
  readonly runId?: string
  /** A tag of BCP 47. */
  readonly locale?: string
  /** Told once, when the call has ended in whatever way, what it used up: a part of what `ui-plugins.metered` tells. */
  used?(usage: readonly Usage[]): void
}

export type OwnedApp = Owned & {
  readonly id: string
  readonly pluginId: string
  readonly status: App['status']
  /** Of the version that is enabled, else of the one that was registered last. */
  readonly manifest: Manifest
}

/** An app and its version that is enabled. */
export type UsableApp = Pick<Installation, 'id' | 'pluginId' | 'owner' | 'audience' | 'manifest'>

/** An app that is or was enabled. */
export interface InstalledApp extends Owned {
  readonly id: string
  /** Another one after each change. */
  readonly revision: number
}

export type AppState = Omit<UsableApp, 'manifest'> & {
  readonly status: App['status']
  readonly revision: number
  /** Of the version that is or was enabled; undefined where none ever was. */
  readonly manifest: Manifest | undefined
}

/** What a capability is told beside its parameters. */
export interface CapabilityCall {
  /** The installation that asks, `app_…`. */
  readonly appId: string
  readonly pluginId: string
  /** How it was granted: a list that is there narrows what the capability may give and do. */
  readonly grant: CapabilityGrant
  /** Aborted when nobody waits for the answer. */
  readonly signal: AbortSignal
  /** Apps and agents that are calling each other already, 0 where a page or a person asks: the `depth` of what it begins. */
  readonly depth: number
  /** In which run the app is called, if in one: the `parent` of runs that it begins. */
  readonly runId?: string
  /**
   * 403 `narrowed` where the grant names agents or spaces, and not this one: for capabilities that learn from their own record
   * what they are about. Those of which `narrows.at` points into the parameters need not ask.
   */
  within(id: string | null): void
}

/**
 * What of a pack apps may use, under its name as the point's key: `agents.read`. The caller stays who asks: the pack decides by
 * its own rules what that principal may; grants can only take away from that.
 */
export interface Capability<Params = unknown> {
  readonly title: string
  readonly description: string
  readonly risk: 'low' | 'medium' | 'high'
  /** What a person agrees to, in plain words: "Reads the agents that you can read". */
  readonly reaches: string
  /** What a grant of it may be narrowed to. Left out: it is granted as a whole. */
  readonly narrows?: Narrowing
  /**
   * The caller's credential has to have one of them, as a route's `scope`. Left out: one that was narrowed needs the pair of the name's
   * first word (`goals:read` or `goals:write` for `goals.list`, `goals:write` alone where it is not `idempotent`), others none.
   */
  readonly scope?: readonly string[]
  /** JSON Schema of an object without further properties; what does not fit is refused before the call. */
  readonly params: object
  /** JSON Schema of what it gives; properties that it does not name are left out of that. */
  readonly result?: object
  /** Whether it may be called again after a fault. Default: no. */
  readonly idempotent?: boolean
  /** JSON. What it throws is told to the app as it would be to a caller of the API; a `param` of it is a pointer into the parameters. */
  call(by: Principal, params: Params, context: CapabilityCall): Promise<unknown>
}

/** Sizes of what goes into functions and out of them are in characters of JSON. */
export interface Metered {
  readonly id: string
  readonly pluginId: string
  /** Of UTC, such as 2026-01-31. */
  readonly day: string
  readonly calls: number
  readonly functionCalls: number
  readonly cpuMs: number
  readonly characters: number
  readonly egressCalls: number
  readonly egressBytes: number
}

/** Methods that all apps have of a pack without a grant, under the word before their dot as the point's key: `storage`. */
export interface AppMethods {
  /**
   * JSON, of what `params` of a stranger's making ask for: the pack checks them (400 with a pointer into them), and whether the app
   * declares to use it.
   */
  call(
    app: Installation,
    by: Principal,
    method: string,
    params: unknown,
    signal: AbortSignal
  ): Promise<unknown>
}

declare module 'agent-platform' {
  interface Services {
    'ui-plugins': UiPlugins
  }
  interface Points {
    'ui-plugins.capability': Capability
    'ui-plugins.methods': AppMethods
  }
  interface Facts {
    /** A version is there that was not; nothing of it is enabled by that. */
    'ui-plugins.registered': AppEvent
    /** Also when it was enabled in another version, or for others, than before. */
    'ui-plugins.enabled': AppEvent
    'ui-plugins.disabled': AppEvent
    /** Of an app that goes on in the same version. */
    'ui-plugins.grants_changed': AppEvent
    /** A key was saved, or turned off or on again: never the key. */
    'ui-plugins.connection_changed': ConnectionEvent
    /** What was used up of an app on behalf of the fact's owner, since the fact before. */
    'ui-plugins.metered': Metered
    /** What is kept for an app is kept by this id: `cascade` takes it along. */
    'ui-plugins.deleted': { id: string; pluginId: string }
    /** `userId` is null where it is the project's; `pins` where they were taken away. */
    'ui-plugins.layout_changed': { userId: string | null; scope: string; pins: string[] | null }
    'ui-plugins.appearance_changed': { id: string; pluginId: string; icon: string | null }
  }
}
