import { notFound } from '../contract/errors.ts'
import type { Facts } from '../events/facts.ts'
import type { GenerationServer } from '../http/server.ts'
import type { PackChanges } from './desired/changes.ts'
import type { Desired } from './desired/desired.ts'
import { isForgotten } from './desired/desired.ts'
import type { ChangeRecords } from './desired/records.ts'
import type { Removal } from './desired/removal.ts'
import type { PackStatus, States } from './desired/states.ts'
import type { PackApi, PackInfo, Readings } from './info.ts'
import type { Found, Loader } from './loader/loader.ts'
import { pageDigest } from './loader/page-digest.ts'

interface Deps {
  changes: PackChanges
  loader: Loader
  desired: Desired
  states: States
  records: ChangeRecords
  server: GenerationServer
  facts: Pick<Facts, 'deadLettered' | 'replay' | 'backlog'>
  remove: Removal
  load(): Readings['database']
}

/** The packs themselves, for the packs that show and change them. */
export function createPackApi(deps: Deps): PackApi {
  const { changes, remove, loader, desired, states, records, server, facts, load } = deps

  /** Of one pack, or of all. */
  async function infos(only?: string): Promise<PackInfo[]> {
    const find = async () =>
      new Map(only === undefined ? await loader.scan() : [[only, await loader.find(only)]])
    const [found, rows, deadLettered] = await Promise.all([find(), desired.read(), facts.deadLettered(only)])
    const running = server.current().packs
    const names = [...new Set([...found.keys(), ...rows.keys(), ...running.keys()])]
      .filter((name) => name === only || only === undefined)
      .filter((name) => {
        const row = rows.get(name)
        return found.get(name) || running.has(name) || (row && !isForgotten(row))
      })
      .sort()
    const everywhere = await states.everywhere(names)
    const deadLetteredBy = Map.groupBy(deadLettered, ({ pack }) => pack)
    return Promise.all(
      names.map(async (name) => {
        const row = rows.get(name)
        const manifest = await manifestOf(name, found.get(name))
        const known = manifest instanceof Error ? undefined : manifest
        const { status, reason, digest } = states.get(name)
        return {
          name,
          area: known?.area ?? null,
          summary: known?.summary ?? null,
          status,
          reason: reason ?? (manifest instanceof Error ? manifest.message : null),
          enabled: desired.enabled(name, row),
          settings: desired.shown(name, known?.settings, row),
          settingsSchema: known?.settings ? { ...known.settings } : null,
          requires: [...(known?.requires ?? [])],
          uses: [...(known?.uses ?? [])],
          digest,
          desiredDigest: row?.digest ?? null,
          page: await pageOf(found.get(name)),
          instances: everywhere.get(name) ?? [],
          deadLettered: (deadLetteredBy.get(name) ?? []).map(({ fact, ...rest }) => ({ ...fact, ...rest }))
        }
      })
    )
  }

  const pageOf = (found: Found | Error | undefined) =>
    found && !(found instanceof Error) ? pageDigest(found.folder) : null

  const manifestOf = async (name: string, found: Found | Error | undefined) =>
    server.current().packs.get(name)?.loaded.manifest ??
    loader.load(found).then(
      ({ manifest }) => manifest,
      (fault: Error) => fault
    )

  async function show(pack: string): Promise<PackInfo> {
    const [info] = await infos(pack)
    if (!info) throw notFound('Pack')
    return info
  }

  return {
    list: () => infos(),
    show,
    async change({ id }, pack, patch) {
      await changes.apply({ by: id, pack, patch, reload: false })
      return show(pack)
    },
    async reload({ id }, pack) {
      await changes.apply({ by: id, pack, patch: {}, reload: true })
      return show(pack)
    },
    remove: ({ id }, pack, { dropData = false } = {}) => remove({ by: id, pack, dropData }),
    changes: records.list,
    backlog: facts.backlog,
    observe: server.observe,
    onChange: server.onSwap,
    replay: facts.replay,
    mounted: () =>
      [...server.current().packs.values()].map(({ loaded: { name, manifest }, routes }) => ({
        name,
        area: manifest.area,
        summary: manifest.summary ?? null,
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
