import type { FastifyBaseLogger } from 'fastify'
import type { Migrator } from '../../database/migrator.ts'
import type { GenerationServer } from '../../http/server.ts'
import type { ChangeRecords, Latency } from '../desired/records.ts'
import type { States } from '../desired/states.ts'
import { isOff, runs } from '../desired/states.ts'
import { PackFault } from '../faults.ts'
import { resolve } from '../loader/resolver.ts'
import type { Cascades } from './cascades.ts'
import type { Generation, Surroundings } from './generation.ts'
import { buildGeneration } from './generation.ts'
import type { Mountable } from './parts.ts'

/** How long the new generation answers before its latency is written down. */
const OBSERVE_MS = 5_000

/** What should run, by name. */
export type Target = ReadonlyMap<string, Mountable>

/** A generation that is ready to serve, and what it took. */
export interface Built {
  readonly generation: Generation
  /** Migrations that were applied for it, by pack. */
  readonly migrations: ReadonlyMap<string, string[]>
  readonly buildMs: number
  /** Packs whose schema a newer version was at. */
  readonly newer: ReadonlySet<string>
}

export interface Swapped {
  /** Of the generation before, until now. */
  readonly before: Latency
  /** Completes these records once it is known how the old generation ended and how the new one answers. */
  observe(records: readonly string[]): void
}

interface Deps {
  readonly log: FastifyBaseLogger
  readonly server: GenerationServer
  readonly states: States
  readonly records: ChangeRecords
  readonly migrator: Migrator
  readonly surroundings: Surroundings
  readonly cascades: Pick<Cascades, 'resume'>
  readonly executions: { begin(): void }
  /** Packs that listen to facts for the first time get those recorded from now on. */
  readonly enlist: (packs: Iterable<string>) => Promise<void>
  /** Goes on with nothing that others left. */
  readonly inProcess: boolean
}

/** Builds generations and puts them in place. */
export function createGenerations(deps: Deps) {
  const { log, server, states, records, migrator, surroundings, cascades, executions, enlist, inProcess } =
    deps
  let count = 0
  const observing = new Set<NodeJS.Timeout>()

  const resolved = (target: Target) =>
    resolve(new Map([...target].map(([name, { loaded }]) => [name, loaded.manifest])))

  /** All of the target, or a `PackFault`. */
  async function build(target: Target): Promise<Built> {
    const { order, refused } = resolved(target)
    for (const [pack, reason] of refused) throw new PackFault(pack, 'requirements', reason)
    const packs = order.map((name) => target.get(name) as Mountable)
    await states.announce(packs.map(({ loaded }) => loaded))
    const { applied, failed, newer } = await migrator.migrate(packs.map(({ loaded }) => loaded))
    for (const [pack, error] of failed) throw new PackFault(pack, 'migrations', error)
    const before = performance.now()
    const generation = await buildGeneration(++count, packs, surroundings)
    const buildMs = performance.now() - before
    try {
      if (generation.listeners.size > 0) await enlist(generation.listeners.keys())
    } catch (error) {
      await generation.stop()
      throw error
    }
    const byPack = Map.groupBy(applied, ({ pack }) => pack)
    const migrations = new Map([...byPack].map(([pack, done]) => [pack, done.map(({ name }) => name)]))
    return { generation, migrations, buildMs, newer }
  }

  /** As much of the target as can be built: what fails falls back to what runs, or is left out. */
  async function buildMost(
    target: Target,
    running: Target,
    blame: (fault: PackFault) => void
  ): Promise<Built> {
    const rest = new Map(target)
    const fallBack = (fault: PackFault) => {
      blame(fault)
      const old = running.get(fault.pack)
      if (old && rest.get(fault.pack) !== old) rest.set(fault.pack, old)
      else rest.delete(fault.pack)
    }
    for (;;)
      try {
        // All at once: of a cycle the last one would have nothing against it.
        const { refused } = resolved(rest)
        for (const [pack, reason] of refused) fallBack(new PackFault(pack, 'requirements', reason))
        if (refused.size === 0) return await build(rest)
      } catch (fault) {
        if (!(fault instanceof PackFault)) throw fault
        fallBack(fault)
      }
  }

  function swap(generation: Generation): Swapped {
    const old = server.current()
    const before = server.latencyOf(old)
    const gone = server.swap(generation).catch((error) => {
      log.error({ err: error }, 'a generation did not stop cleanly')
      return { drained: null, dropped: null }
    })
    states
      .end(old.packs, gone)
      .catch((error) => log.warn({ err: error }, 'that packs have ended was not published yet'))
    for (const name of old.packs.keys()) if (!generation.packs.has(name)) states.set(name, isOff)
    // What is said of a pack that stays as it was, such as that its next version failed, stays as well.
    for (const [name, { loaded, settings }] of generation.packs) {
      const same = old.packs.get(name)
      if (same?.loaded !== loaded || same.settings !== settings) states.set(name, runs(loaded.digest))
    }
    if (!inProcess) {
      void generation.resume()
      executions.begin()
      void cascades.resume()
    }

    function observe(ids: readonly string[]) {
      const timer = setTimeout(async () => {
        const ended = await gone
        if (!observing.delete(timer)) return
        const result = { ...ended, after: server.latencyOf(generation) }
        await records
          .complete(ids, result)
          .catch((error) => log.warn({ err: error }, 'a record stays incomplete'))
      }, OBSERVE_MS).unref()
      observing.add(timer)
    }
    return { before, observe }
  }

  function close() {
    for (const timer of observing) clearTimeout(timer)
    observing.clear()
  }
  return { build, buildMost, swap, close }
}
export type Generations = ReturnType<typeof createGenerations>
