import { notFound } from '../errors.ts'
import type { Facts } from '../events/facts.ts'
import type { Principal } from '../ownership.ts'
import type { Paging } from '../schemas.ts'
import type { Desired, Patch, Sourced } from './desired.ts'
import { LoadFault } from './fault.ts'
import type { Host } from './host.ts'
import type { Loader } from './loader.ts'
import type { Manifest } from './manifest.ts'
import type { ChangeRecord, ChangeRecords, Latency } from './records.ts'
import type { MountedRoute } from './routes.ts'
import type { GenerationServer, Seen } from './server.ts'
import type { InstanceState, PackStatus, States } from './states.ts'

/** A fact that a pack could not handle and that was set aside. */
export interface ParkedFact {
  readonly id: string
  readonly name: string
  readonly subject: string
  readonly attempts: number
  readonly error: string
  readonly parkedAt: string
}

/** A pack as an operator sees it. */
export interface PackInfo {
  readonly name: string
  readonly area: string | null
  /** On the instance that answers. */
  readonly status: PackStatus
  readonly reason: string | null
  readonly enabled: Sourced<boolean>
  readonly settings: Record<string, Sourced<unknown>>
  readonly requires: string[]
  readonly uses: string[]
  /** Version that runs here, and the one that is desired everywhere. */
  readonly digest: string | null
  readonly desiredDigest: string | null
  readonly instances: InstanceState[]
  readonly parked: ParkedFact[]
}

export interface MountedPack {
  readonly name: string
  readonly area: string
  readonly routes: readonly MountedRoute[]
}

/** The packs themselves, for the packs that show and change them. */
export interface Hosting {
  list(): Promise<PackInfo[]>
  /** 404 where no instance ever heard of it. */
  show(pack: string): Promise<PackInfo>
  /** Applied here before it returns; 409 with the reason when it is refused. */
  change(by: Principal, pack: string, patch: Patch): Promise<PackInfo>
  /** Builds it anew from the files that are there now. */
  reload(by: Principal, pack: string): Promise<PackInfo>
  changes(page: Paging, pack?: string): Promise<{ data: ChangeRecord[]; nextCursor: string | null }>
  /** Tries a parked fact again now; says how that went. 404 where there is none. */
  replay(pack: string, factId: string): Promise<{ handled: boolean; error?: string }>
  /** What is mounted in the generation that is current. */
  mounted(): readonly MountedPack[]
  readings(): Readings
  /** Called after each request, of any generation, until disposed; must be quick and must not throw. */
  observe(hear: (seen: Seen) => void): Disposable
}

export interface Readings {
  readonly generation: number
  readonly inFlight: number
  readonly streams: number
  readonly latency: Latency
  readonly packs: Readonly<Record<PackStatus, number>>
  /** Connections to the database in use and free, and callers that wait for one. */
  readonly database: { readonly used: number; readonly free: number; readonly waiting: number }
}

interface Deps {
  host: Host
  loader: Loader
  desired: Desired
  states: States
  records: ChangeRecords
  server: GenerationServer
  facts: Pick<Facts, 'parked' | 'replay'>
  load(): Readings['database']
}

export function createHosting({
  host,
  loader,
  desired,
  states,
  records,
  server,
  facts,
  load
}: Deps): Hosting {
  async function infos(only?: string): Promise<PackInfo[]> {
    const [found, rows, parked] = await Promise.all([loader.scan(), desired.read(), facts.parked(only)])
    const known = new Set([...found.keys(), ...rows.keys(), ...server.current().packs.keys()])
    const names = [...known].filter((name) => only === undefined || name === only).sort()
    const everywhere = await states.everywhere(names)
    const parkedBy = Map.groupBy(parked, ({ pack }) => pack)
    return Promise.all(
      names.map(async (name) => {
        const row = rows.get(name)
        const manifest = await manifestOf(name, found.get(name))
        const state = states.get(name) ?? { status: 'off', digest: null, reason: null }
        return {
          name,
          area: manifest instanceof LoadFault ? null : manifest.area,
          status: state.status,
          reason: state.reason ?? (manifest instanceof LoadFault ? manifest.reason : null),
          enabled: desired.enabled(name, row),
          settings: manifest instanceof LoadFault ? {} : desired.shown(name, manifest.settings, row),
          requires: manifest instanceof LoadFault ? [] : [...(manifest.requires ?? [])],
          uses: manifest instanceof LoadFault ? [] : [...(manifest.uses ?? [])],
          digest: state.digest,
          desiredDigest: row?.digest ?? null,
          instances: everywhere.get(name) ?? [],
          parked: (parkedBy.get(name) ?? []).map(
            ({ fact: { id, name, subject }, attempts, error, parkedAt }) => ({
              id,
              name,
              subject,
              attempts,
              error,
              parkedAt
            })
          )
        }
      })
    )
  }

  type Scanned = ReturnType<Awaited<ReturnType<Loader['scan']>>['get']>
  async function manifestOf(name: string, found: Scanned): Promise<Manifest | LoadFault> {
    const running = server.current().packs.get(name)
    if (running) return running.loaded.manifest
    if (!found) return new LoadFault('import', 'no such pack in the folders of this instance')
    if (found instanceof LoadFault) return found
    return loader.load(found).then(
      ({ manifest }) => manifest,
      (fault: LoadFault) => fault
    )
  }

  async function show(pack: string): Promise<PackInfo> {
    const [info] = await infos(pack)
    if (!info) throw notFound('Pack')
    return info
  }

  return {
    list: () => infos(),
    show,
    async change(by, pack, patch) {
      await host.change(by, pack, patch)
      return show(pack)
    },
    async reload(by, pack) {
      await host.reload(by, pack)
      return show(pack)
    },
    changes: (page, pack) => records.list(page, pack),
    observe: server.observe,
    replay: (pack, factId) => facts.replay(pack, factId),
    mounted: () =>
      [...server.current().packs.values()].map(({ loaded, routes }) => ({
        name: loaded.name,
        area: loaded.manifest.area,
        routes
      })),
    readings() {
      const generation = server.current()
      const count = (status: PackStatus) => states.named(status).length
      return {
        generation: generation.id,
        inFlight: generation.inFlight.count,
        streams: server.live.size,
        latency: server.latencyOf(generation),
        packs: {
          running: count('running'),
          off: count('off'),
          failed: count('failed'),
          'waiting for code': count('waiting for code')
        },
        database: load()
      }
    }
  }
}
