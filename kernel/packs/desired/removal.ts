import { setTimeout as delay } from 'node:timers/promises'
import type { Knex } from 'knex'
import { conflict, notFound } from '../../contract/errors.ts'
import type { Migrator } from '../../database/migrator.ts'
import type { Trx } from '../../database/transaction.ts'
import type { Facts } from '../../events/facts.ts'
import type { Points } from '../../events/points.ts'
import type { GenerationServer } from '../../http/server.ts'
import type { RemovedPack } from '../info.ts'
import type { Loader } from '../loader/loader.ts'
import type { Manifest } from '../loader/manifest.ts'
import { isPackName } from '../loader/manifest.ts'
import type { Cascades } from '../runtime/cascades.ts'
import type { PackChanges } from './changes.ts'
import type { Desired } from './desired.ts'
import { isForgotten } from './desired.ts'
import type { ChangeRecords, NewChange } from './records.ts'
import type { States } from './states.ts'

/** A little more than a generation that was replaced may go on answering, and then stop. */
const LET_GO_MS = 75_000
/** Between two looks; instances that did not hear are signalled again. */
const LOOK_MS = 50
const TELL_EVERY = 20

interface Deps {
  readonly knex: Knex
  readonly loader: Loader
  readonly desired: Desired
  readonly states: States
  readonly records: ChangeRecords
  readonly server: GenerationServer
  readonly migrator: Pick<Migrator, 'drop' | 'hasMigrated'>
  readonly changes: Pick<PackChanges, 'apply' | 'amend' | 'tell'>
  readonly facts: Pick<Facts, 'forget'>
  readonly points: Pick<Points, 'forget'>
  readonly cascades: Pick<Cascades, 'forget'>
  /** Declares dead the instances that are gone. */
  dead(): Promise<unknown>
}

export interface Removing {
  readonly by: string
  readonly pack: string
  readonly dropData: boolean
}

/** Takes packs away for good: off everywhere first, and then all of it in one transaction. */
export function createRemoval(deps: Deps) {
  const { knex, loader, desired, states, records, server, migrator, changes, facts, points, cascades, dead } =
    deps

  /** Manifests of packs as they run here, or else as they lie in their folders. */
  async function manifests(): Promise<ReadonlyMap<string, Manifest>> {
    const found = await loader.scan()
    const loaded = await Promise.allSettled([...found.values()].map(loader.load))
    const lying = loaded.flatMap((it) => (it.status === 'fulfilled' ? it.value : []))
    const running = [...server.current().packs.values()].map(({ loaded }) => loaded)
    return new Map([...lying, ...running].map(({ name, manifest }) => [name, manifest]))
  }

  /** 409 while packs that are on require it. */
  async function refuseRequired({ by, pack }: Removing, all: ReadonlyMap<string, Manifest>) {
    const rows = await desired.read()
    const others = [...all.values()]
      .filter(({ name, requires }) => requires?.includes(pack) && desired.enabled(name, rows.get(name)).value)
      .map(({ name }) => name)
      .sort()
    if (others.length === 0) return
    const reason = `requirements: ${pack} is required by ${others.join(', ')}`
    await record(knex, { by, pack, fromDigest: null, reason })
    throw conflict(reason, { code: 'pack_required' })
  }

  /** 409 when it is still run somewhere, in spite of having been turned off. */
  async function untilNobodyRuns({ by, pack }: Removing) {
    const end = performance.now() + LET_GO_MS
    for (let looks = 1; ; looks++) {
      const instances = await states.runners(pack)
      if (instances.length === 0) return
      await dead()
      if (performance.now() > end) {
        const reason = `${pack} is off, but instances ${instances.join(', ')} have not let go of it`
        await record(knex, { by, pack, fromDigest: null, reason })
        throw conflict(reason, { code: 'pack_running' })
      }
      if (looks % TELL_EVERY === 0) changes.tell()
      await delay(LOOK_MS)
    }
  }

  async function forget(trx: Trx, removing: Removing, manifest: Manifest | undefined): Promise<RemovedPack> {
    const { by, pack, dropData } = removing
    const row = (await desired.read(trx)).get(pack)
    const found = await loader.find(pack)
    // Another change was faster, between the wait and this transaction.
    const on = row?.enabled || (found && desired.enabled(pack, row).value)
    if (on || (await states.runners(pack, trx)).length > 0)
      throw conflict(`${pack} was turned on again`, { code: 'pack_on' })
    const stands = found !== undefined || (await states.elsewhere(pack, trx))
    await desired.forget(trx, pack, stands)
    if (!stands) states.forget(pack)
    const { tables, migrations } = dropData
      ? await migrator.drop(trx, pack).catch(inUse)
      : { tables: [], migrations: [] }
    await cascades.forget(trx, pack)
    const removed = {
      name: pack,
      settings: Object.keys(row?.settings ?? {}).sort(),
      choices: await points.forget(trx, pack, ownKeys(manifest)),
      facts: await facts.forget(pack, trx),
      tables,
      migrations
    }
    await record(trx, { by, pack, migrations, fromDigest: row?.digest ?? null })
    return removed
  }

  /** What it alone contributes under a key, by point. */
  function ownKeys(manifest: Manifest | undefined): [point: string, key: string][] {
    const { contributions } = server.current()
    return Object.entries(manifest?.contributes ?? {}).flatMap(([point, given]) =>
      given.flatMap(({ key }): [string, string][] => {
        const others = contributions.get(point)?.some((other) => other.key === key)
        return key === undefined || others ? [] : [[point, key]]
      })
    )
  }

  const record = (
    on: Knex | Trx,
    change: Omit<NewChange, 'action' | 'actor' | 'toDigest'> & { by: string }
  ) => {
    const { by, ...rest } = change
    return records.insert(on, { ...rest, actor: by, action: 'removed', toDigest: null })
  }

  return async (removing: Removing): Promise<RemovedPack> => {
    const { by, pack, dropData } = removing
    const row = (await desired.read()).get(pack)
    const found = await loader.find(pack)
    const runs = server.current().packs.has(pack)
    const kept = (row && !isForgotten(row)) || (dropData && (await migrator.hasMigrated(pack)))
    if (!found && !runs && !kept) throw notFound('Pack')
    if (!isPackName(pack)) throw conflict(`${pack} is no pack's name`, { code: 'locked' })
    const all = await manifests()
    await refuseRequired(removing, all)
    if (runs || ((found || row) && desired.enabled(pack, row).value))
      await changes.apply({ by, pack, patch: { enabled: false }, reload: false })
    await untilNobodyRuns(removing)
    return changes.amend((trx) => forget(trx, removing, all.get(pack)))
  }
}

export type Removal = ReturnType<typeof createRemoval>

function inUse(error: Error & { code?: string }): never {
  // lock_not_available
  if (error.code !== '55P03') throw error
  throw conflict('Something else uses its tables: try again', { code: 'data_in_use', cause: error })
}
