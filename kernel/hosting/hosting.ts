import { notFound } from '../errors.ts'
import type { Facts } from '../events/facts.ts'
import type { Desired } from './desired.ts'
import { LoadFault } from './fault.ts'
import type { Host } from './host.ts'
import type { Hosting, PackInfo, Readings } from './info.ts'
import type { Loader } from './loader.ts'
import { loadFound } from './loader.ts'
import type { Manifest } from './manifest.ts'
import type { ChangeRecords } from './records.ts'
import type { GenerationServer } from './server.ts'
import type { PackStatus, States } from './states.ts'

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
    return loadFound(loader, found).then(
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
