import type { FastifyBaseLogger } from 'fastify'
import type { Trx } from '../../database/transaction.ts'
import type { GenerationServer } from '../../http/server.ts'
import type { Found, Loader } from '../loader/loader.ts'
import type { Built, Generations, Target } from '../runtime/generations.ts'
import type { Mountable } from '../runtime/parts.ts'
import type { Desired, Row } from './desired.ts'
import type { ChangeRecords } from './records.ts'
import type { PackState, States } from './states.ts'
import { failed, isOff, runs, waits } from './states.ts'

type Rows = ReadonlyMap<string, Row>

interface Deps {
  readonly log: FastifyBaseLogger
  readonly loader: Loader
  readonly desired: Desired
  readonly states: States
  readonly records: ChangeRecords
  readonly server: GenerationServer
  readonly generations: Generations
}

/** Makes this instance what the desired state says, at start and whenever others have changed it. */
export function createReconciler(deps: Deps) {
  const { log, loader, desired, states, records, server, generations } = deps

  /** Undefined if there are no files, or if they cannot be read: loading the pack reports why. */
  const digestOf = async (found: Found | Error | undefined): Promise<string | undefined> =>
    found && !(found instanceof Error) ? loader.digest(found).catch(() => undefined) : undefined

  /** What should run here as far as this instance has the code, and what is to be said of all packs then. */
  async function wanted(rows: Rows, running: Target, first: boolean) {
    const target = new Map<string, Mountable>()
    const said = new Map<string, PackState>()
    const all = await loader.scan()
    for (const pack of new Set([...all.keys(), ...rows.keys()])) {
      const row = rows.get(pack)
      const found = all.get(pack)
      const now = running.get(pack)
      const { status, tried } = states.get(pack)
      const digest = now || tried ? await digestOf(found) : undefined
      // A version that was refused stays failed until another one is tried.
      const stillFailed = status === 'failed' && tried && tried === digest
      if (!desired.enabled(pack, row).value || (!found && !row?.enabled)) {
        if (!stillFailed && found) said.set(pack, isOff)
        continue
      }
      try {
        // Files that merely lie here are no upgrade: an operator must have asked for it.
        const kept = now && (digest !== row?.digest || digest === now.loaded.digest)
        const loaded = kept ? now.loaded : await loader.load(found)
        const settings = await desired.settings(pack, loaded.manifest.settings, row)
        const compiles = kept ? now.compiles : row?.digest === loaded.digest
        target.set(pack, { loaded, settings, compiles })
        if (stillFailed && kept) continue
        const isOther = row?.digest && row.digest !== loaded.digest && !first
        said.set(pack, isOther ? waits(loaded.digest, row.digest) : runs(loaded.digest))
      } catch (error) {
        said.set(pack, failed(error, now?.loaded.digest, digest ?? (await digestOf(found))))
        if (now) target.set(pack, now)
      }
    }
    return { target, said, all }
  }

  /** An instance that starts brings its versions along, unless a newer one has been here. */
  async function install(trx: Trx, rows: Rows, { generation, newer, migrations, buildMs }: Built) {
    const ids: string[] = []
    for (const [pack, { loaded }] of generation.packs) {
      const row = rows.get(pack)
      const toDigest = loaded.digest
      if (row?.digest === toDigest) continue
      if (newer.has(pack)) {
        states.set(pack, waits(toDigest, row?.digest))
        continue
      }
      await desired.write(trx, { enabled: null, settings: {}, ...row, name: pack, digest: toDigest })
      const fromDigest = row?.digest ?? null
      const action = fromDigest ? 'upgraded' : 'installed'
      const change = { actor: 'platform', pack, action, fromDigest, toDigest, buildMs } as const
      ids.push(await records.insert(trx, { ...change, migrations: migrations.get(pack) }))
    }
    return ids
  }

  return async (trx: Trx): Promise<void> => {
    const { id, packs: running } = server.current()
    const first = id === 0
    const rows = await desired.read(trx)
    const { target, said, all } = await wanted(rows, running, first)
    // Published only when it is so: a reader sees what was until then.
    const say = () => {
      for (const [pack, state] of said) states.set(pack, state)
      // An instance that says nothing of a pack has no folder of it.
      for (const pack of states.named('off')) if (!all.has(pack)) states.forget(pack)
    }
    if (!first && signature(target) === signature(running)) return say()
    const built = await generations.buildMost(target, running, (fault) => {
      log.error({ pack: fault.pack, err: fault }, 'a pack failed')
      const digestIn = (packs: Target) => packs.get(fault.pack)?.loaded.digest
      said.set(fault.pack, failed(fault, digestIn(running), digestIn(target)))
    })
    const { observe } = generations.swap(built.generation)
    say()
    if (first) observe(await install(trx, rows, built))
  }
}
export type Reconciler = ReturnType<typeof createReconciler>

/** Equal when the same versions run with the same settings. */
const signature = (packs: Target): string =>
  JSON.stringify(
    [...packs.values()].map(({ loaded, settings }) => [loaded.name, loaded.digest, settings]).sort()
  )
