import type { FastifyBaseLogger } from 'fastify'
import type { Trx } from '../data/transaction.ts'
import type { Builds, Built } from './builds.ts'
import { failed, signature } from './builds.ts'
import type { Desired, Row } from './desired.ts'
import type { Mountable } from './generation.ts'
import type { Loader } from './loader.ts'
import { loadFound } from './loader.ts'
import type { ChangeRecords } from './records.ts'
import type { GenerationServer } from './server.ts'
import type { States } from './states.ts'
import type { Swaps } from './swaps.ts'

type Rows = ReadonlyMap<string, Row>

interface Deps {
  readonly log: FastifyBaseLogger
  readonly loader: Loader
  readonly desired: Desired
  readonly states: States
  readonly records: ChangeRecords
  readonly server: GenerationServer
  readonly builds: Builds
  readonly swaps: Swaps
  readonly instance: () => number | undefined
}

/** Makes this instance what the desired state says, at start and whenever others have changed it. */
export function createFollowing(deps: Deps) {
  const { log, loader, desired, states, records, server, builds, swaps, instance } = deps

  /** What should run here as far as this instance has the code; what cannot is said in `states`. */
  async function wanted(rows: Rows, first: boolean): Promise<Map<string, Mountable>> {
    const target = new Map<string, Mountable>()
    const running = server.current().packs
    const all = await loader.scan()
    for (const pack of new Set([...all.keys(), ...rows.keys()])) {
      const row = rows.get(pack)
      const found = all.get(pack)
      const digest = found && 'digest' in found ? found.digest : undefined
      const now = running.get(pack)
      const before = states.get(pack)
      // A version that was refused stays failed until another one is tried.
      const stillFailed = before?.status === 'failed' && before.tried && before.tried === digest
      if (!desired.enabled(pack, row).value || (!found && !row?.enabled)) {
        if (!stillFailed) states.set(pack, { status: 'off', digest: null, reason: null })
        continue
      }
      try {
        // Files that merely lie here are no upgrade: somebody must have asked for it.
        const kept = now && (digest !== row?.digest || digest === now.loaded.digest)
        const loaded = kept ? now.loaded : await loadFound(loader, found)
        target.set(pack, { loaded, settings: await desired.settings(pack, loaded.manifest.settings, row) })
        const other = row?.digest && row.digest !== loaded.digest && !first
        const waiting = {
          status: 'waiting for code',
          digest: loaded.digest,
          reason: `others run ${row?.digest}`
        } as const
        if (stillFailed && kept) continue
        states.set(pack, other ? waiting : { status: 'running', digest: loaded.digest, reason: null })
      } catch (error) {
        states.set(pack, failed(error, now?.loaded.digest ?? null, digest ?? null))
        if (now) target.set(pack, now)
      }
    }
    return target
  }

  /** An instance that starts brings its versions along, unless a newer one has been here. */
  async function install(
    trx: Trx,
    rows: Rows,
    { generation, newer, migrations, buildMs }: Built
  ): Promise<string[]> {
    const ids: string[] = []
    for (const [pack, { loaded }] of generation.packs) {
      const row = rows.get(pack)
      if (row?.digest === loaded.digest) continue
      if (newer.has(pack)) {
        states.set(pack, {
          status: 'waiting for code',
          digest: loaded.digest,
          reason: `others run ${row?.digest}`
        })
        continue
      }
      await desired.write(trx, { enabled: null, settings: {}, ...row, name: pack, digest: loaded.digest })
      const id = await records.insert(trx, {
        actor: 'platform',
        instance: instance() ?? null,
        pack,
        action: row?.digest ? 'upgraded' : 'installed',
        outcome: 'applied',
        reason: null,
        fromDigest: row?.digest ?? null,
        toDigest: loaded.digest,
        migrations: migrations.get(pack) ?? [],
        buildMs,
        before: null
      })
      ids.push(id)
    }
    return ids
  }

  return async (trx: Trx): Promise<void> => {
    const running = server.current()
    const first = running.id === 0
    const rows = await desired.read(trx)
    const target = await wanted(rows, first)
    if (!first && signature(target.values()) === signature(running.packs.values())) return
    const said = new Map(states.entries())
    const built = await builds.buildMost(target, running.packs, (fault) => {
      log.error({ pack: fault.pack, err: fault }, 'a pack failed')
      const digest = running.packs.get(fault.pack)?.loaded.digest ?? null
      said.set(fault.pack, failed(fault, digest, target.get(fault.pack)?.loaded.digest ?? null))
    })
    const { observe } = swaps.swap(built.generation)
    for (const [pack, state] of said) states.set(pack, state)
    if (first) observe(await install(trx, rows, built))
  }
}
export type Following = ReturnType<typeof createFollowing>
