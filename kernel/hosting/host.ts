import type { FastifyBaseLogger } from 'fastify'
import type { Knex } from 'knex'
import type { Trx } from '../data/transaction.ts'
import { conflict, notFound } from '../errors.ts'
import type { Principal } from '../ownership.ts'
import type { Desired, Patch, Row } from './desired.ts'
import type { Generation, Mountable, Surroundings } from './generation.ts'
import { buildGeneration } from './generation.ts'
import type { Loaded, Loader } from './loader.ts'
import type { Migrator } from './migrator.ts'
import { failed, isPackFault, loadFound, ordered, signature } from './plan.ts'
import type { ChangeRecord, ChangeRecords, Latency, NewChange } from './records.ts'
import type { GenerationServer } from './server.ts'
import type { States } from './states.ts'

type Actor = Pick<Principal, 'id'>
type Action = ChangeRecord['action']

const CHANGED = 'packs.changed'
/** Held while packs change, so that two instances never change them at once. */
const LOCK = 'select pg_advisory_xact_lock(4712, 1)'
const SOON_MS = 1_000
const LATE_MS = 60_000
/** How long the new generation answers before its latency is written down. */
const OBSERVE_MS = 5_000

interface Deps {
  knex: Knex
  log: FastifyBaseLogger
  loader: Loader
  migrator: Migrator
  desired: Desired
  states: States
  records: ChangeRecords
  server: GenerationServer
  surroundings: Surroundings
  instance(): number | undefined
  /** Packs that listen to facts for the first time get those recorded from now on. */
  enlist(packs: Iterable<string>): Promise<void>
  signals: { send(topic: string, data?: unknown): void; on(topic: string, hear: () => void): Disposable }
}

interface Built {
  readonly generation: Generation
  readonly migrations: ReadonlyMap<string, string[]>
  readonly buildMs: number
  /** Packs whose schema a newer version was at. */
  readonly newer: ReadonlySet<string>
}

/** Makes the running generation what it should be: on request, and by itself when the desired state changes. */
export function createHost(deps: Deps) {
  const { knex, log, loader, migrator, desired, states, records, server, instance } = deps
  let generations = 0
  let queue: Promise<unknown> = Promise.resolve()
  let retry: NodeJS.Timeout | undefined
  let patience = SOON_MS
  let closed = false
  const observing = new Set<NodeJS.Timeout>()

  const running = () => server.current().packs as ReadonlyMap<string, Mountable>
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = queue.then(work)
    queue = turn.catch(() => undefined)
    return turn
  }
  const exclusively = <T>(work: (trx: Trx) => Promise<T>): Promise<T> =>
    knex.transaction(async (trx) => {
      await trx.raw(LOCK)
      return work(trx)
    })

  async function build(target: ReadonlyMap<string, Mountable>): Promise<Built> {
    const { order, refused } = ordered(target)
    for (const [pack, reason] of refused) throw Object.assign(new Error(reason), { pack, phase: 'resolve' })
    const { applied, failed: broken, newer } = await migrator.migrate(order.map(({ loaded }) => loaded))
    for (const [pack, error] of broken)
      throw Object.assign(new Error(`migration: ${error.message}`, { cause: error }), {
        pack,
        phase: 'migration'
      })
    const before = performance.now()
    const generation = await buildGeneration(++generations, order, deps.surroundings)
    await deps.enlist(generation.listeners.keys())
    const migrations = Map.groupBy(applied, ({ pack }) => pack)
    return {
      generation,
      migrations: new Map([...migrations].map(([pack, done]) => [pack, done.map(({ name }) => name)])),
      buildMs: performance.now() - before,
      newer
    }
  }

  /** Puts a generation in place; the records of the change are completed when the old one has ended. */
  function swap({ generation }: Built): { before: Latency; observe(ids: readonly string[]): void } {
    const old = server.current()
    const before = server.latencyOf(old)
    const gone = server.swap(generation)
    for (const name of old.packs.keys())
      if (!generation.packs.has(name)) states.set(name, { status: 'off', digest: null, reason: null })
    for (const [name, { loaded }] of generation.packs)
      states.set(name, { status: 'running', digest: loaded.digest, reason: null })
    gone.catch((error) => log.error({ err: error }, 'a generation did not stop cleanly'))
    void generation.resume()
    const observe = (ids: readonly string[]) => {
      const timer = setTimeout(async () => {
        observing.delete(timer)
        const result = await gone.catch(() => ({ drained: null, dropped: null }))
        if (closed) return
        const after = server.latencyOf(generation)
        await records
          .complete(ids, { ...result, after })
          .catch((error) => log.warn({ err: error }, 'record lost'))
      }, OBSERVE_MS)
      timer.unref()
      observing.add(timer)
    }
    return { before, observe }
  }

  async function mountable(pack: string, row: Row | undefined, loaded: Loaded): Promise<Mountable> {
    return { loaded, settings: await desired.settings(pack, loaded.manifest.settings, row) }
  }

  /** One change that somebody asked for: applied here first, and written only when that went well. */
  async function change(by: Actor, pack: string, action: Action | undefined, patch: Patch): Promise<void> {
    const done = await exclusively(async (trx) => {
      const found = (await loader.scan()).get(pack)
      const row = (await desired.read(trx)).get(pack)
      const now = running().get(pack)
      if (!found && !row && !now) throw notFound('Pack')
      const next = await desired.patched(pack, await schemaOf(pack, found, now), row, patch)
      const on = desired.enabled(pack, next).value
      const entry: NewChange = {
        actor: by.id,
        instance: instance() ?? null,
        pack,
        action: action ?? (patch.settings ? 'configured' : on ? 'enabled' : 'disabled'),
        outcome: 'applied',
        reason: null,
        fromDigest: now?.loaded.digest ?? null,
        toDigest: null,
        migrations: [],
        buildMs: null,
        before: null
      }
      const target = new Map(running())
      let digest: string | null = null
      try {
        if (on) {
          const loaded = action || !now ? await loadFound(loader, found) : now.loaded
          digest = loaded.digest
          target.set(pack, await mountable(pack, next, loaded))
        } else target.delete(pack)
        const built = await build(target)
        const { before, observe } = swap(built)
        await desired.write(trx, { ...next, digest: digest ?? next.digest })
        const migrations = built.migrations.get(pack) ?? []
        const id = await records.insert(trx, {
          ...entry,
          toDigest: digest,
          migrations,
          buildMs: built.buildMs,
          before
        })
        return { observe: () => observe([id]) }
      } catch (error) {
        const { reason } = failed(error, digest)
        if (on)
          states.set(
            pack,
            now ? { ...failed(error, digest), digest: now.loaded.digest } : failed(error, digest)
          )
        await records.insert(trx, { ...entry, toDigest: digest, outcome: 'refused', reason })
        return {
          refused: isPackFault(error) && error.pack !== pack ? `${error.pack}: ${reason}` : (reason as string)
        }
      }
    }).catch(async (error) => {
      // What runs may no longer be what is written: the table decides.
      if (server.current().id > 0) void inTurn(follow).catch(report)
      throw error
    })
    await states.publish()
    if ('refused' in done) throw conflict(done.refused ?? '', { code: 'pack_failed' })
    done.observe()
    deps.signals.send(CHANGED)
  }

  async function schemaOf(pack: string, found: Parameters<typeof loadFound>[1], now: Mountable | undefined) {
    if (now) return now.loaded.manifest.settings
    return loadFound(loader, found).then(
      ({ manifest }) => manifest.settings,
      () => undefined
    )
  }

  /** What should run here, as far as this instance has the code; the rest is said in `states`. */
  async function wanted(rows: ReadonlyMap<string, Row>): Promise<Map<string, Mountable>> {
    const target = new Map<string, Mountable>()
    const all = await loader.scan()
    for (const pack of new Set([...all.keys(), ...rows.keys()])) {
      const row = rows.get(pack)
      const found = all.get(pack)
      if (!desired.enabled(pack, row).value || (!found && !row?.enabled)) {
        states.set(pack, { status: 'off', digest: null, reason: null })
        continue
      }
      const now = running().get(pack)
      const stays = now && 'digest' in (found ?? {}) && row?.digest !== (found as { digest: string }).digest
      try {
        const loaded = stays ? now.loaded : await loadFound(loader, found)
        target.set(pack, await mountable(pack, row, loaded))
      } catch (error) {
        states.set(pack, failed(error, row?.digest ?? null))
        if (now) target.set(pack, now)
      }
    }
    return target
  }

  /** Builds as much of the target as can be built: what fails falls back to what ran before, or is left out. */
  async function buildMost(target: Map<string, Mountable>): Promise<Built | undefined> {
    for (;;) {
      const { refused } = ordered(target)
      for (const [pack, reason] of refused) {
        target.delete(pack)
        states.set(pack, failed(new Error(reason), null))
      }
      const before = running()
      if (server.current().id > 0 && signature(target.values()) === signature(before.values()))
        return undefined
      try {
        return await build(target)
      } catch (error) {
        if (!isPackFault(error)) throw error
        const { pack } = error
        log.error({ pack, err: error }, 'a pack failed')
        const broken = target.get(pack)
        const old = before.get(pack)
        if (old && broken !== old) target.set(pack, old)
        else target.delete(pack)
        states.set(pack, failed(error, broken?.loaded.digest ?? null))
      }
    }
  }

  /** Does what the desired state says, as at start. */
  async function follow(): Promise<void> {
    clearTimeout(retry)
    await exclusively(async (trx) => {
      const rows = await desired.read(trx)
      const first = server.current().id === 0
      const kept = new Map(states.entries().filter(([, { status }]) => status === 'failed'))
      const target = await wanted(rows)
      const built = await buildMost(target)
      const failures = new Map(states.entries().filter(([, { status }]) => status === 'failed'))
      if (built) {
        const { before, observe } = swap(built)
        const ids: string[] = []
        for (const [pack, { loaded }] of target) {
          const row = rows.get(pack)
          if (first && row?.digest !== loaded.digest && !built.newer.has(pack)) {
            await desired.write(trx, {
              name: pack,
              enabled: null,
              settings: {},
              ...row,
              digest: loaded.digest
            })
            const action: Action = row?.digest ? 'upgraded' : 'installed'
            const migrations = built.migrations.get(pack) ?? []
            ids.push(
              await records.insert(trx, {
                actor: 'platform',
                instance: instance() ?? null,
                pack,
                action,
                outcome: 'applied',
                reason: null,
                fromDigest: row?.digest ?? null,
                toDigest: loaded.digest,
                migrations,
                buildMs: built.buildMs,
                before
              })
            )
          }
        }
        if (ids.length > 0) observe(ids)
      }
      for (const [pack, { loaded }] of running()) {
        const digest = rows.get(pack)?.digest
        const state = failures.get(pack) ?? (built ? undefined : kept.get(pack))
        if (state) states.set(pack, { ...state, digest: loaded.digest })
        else if (digest && digest !== loaded.digest && !first)
          states.set(pack, {
            status: 'waiting for code',
            digest: loaded.digest,
            reason: `the others run ${digest}`
          })
        else states.set(pack, { status: 'running', digest: loaded.digest, reason: null })
      }
    })
    await states.publish()
    tend()
  }

  /** Tries again while something has failed or waits: with growing pauses. */
  function tend() {
    const restless = states.named('failed').length + states.named('waiting for code').length > 0
    patience = restless ? Math.min(patience * 2, LATE_MS) : SOON_MS
    if (restless && !closed) retry = setTimeout(() => void inTurn(follow).catch(report), patience).unref()
  }
  const report = (error: unknown) => log.error({ err: error }, 'packs could not follow the desired state')

  const hearing = deps.signals.on(CHANGED, () => {
    if (!closed) void inTurn(follow).catch(report)
  })

  return {
    follow: () => inTurn(follow),
    change: (by: Actor, pack: string, patch: Patch) => inTurn(() => change(by, pack, undefined, patch)),
    reload: (by: Actor, pack: string) => inTurn(() => change(by, pack, 'reloaded', {})),
    async close() {
      closed = true
      hearing[Symbol.dispose]()
      clearTimeout(retry)
      for (const timer of observing) clearTimeout(timer)
      await queue
    }
  }
}
export type Host = ReturnType<typeof createHost>
