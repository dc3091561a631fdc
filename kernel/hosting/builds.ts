import type { Generation, Mountable, Surroundings } from './generation.ts'
import { buildGeneration, PackFault } from './generation.ts'
import type { Migrator } from './migrator.ts'
import { resolve } from './resolver.ts'
import type { PackState } from './states.ts'

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

/** Equal when the same versions run with the same settings. */
export const signature = (packs: Iterable<Mountable>): string =>
  JSON.stringify([...packs].map(({ loaded, settings }) => [loaded.name, loaded.digest, settings]).sort())

/** The state of a pack that failed, by what was thrown: `tried` did not do, `digest` runs all the same. */
export function failed(error: unknown, digest: string | null, tried: string | null): PackState {
  const reason = (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
  return { status: 'failed', digest, tried, reason: reason.slice(0, 500) }
}

interface Deps {
  readonly migrator: Migrator
  readonly surroundings: Surroundings
  /** Packs that listen to facts for the first time get those recorded from now on. */
  readonly enlist: (packs: Iterable<string>) => Promise<void>
}

/** Resolves, migrates and builds. */
export function createBuilds({ migrator, surroundings, enlist }: Deps) {
  let count = 0

  const resolved = (target: Target) =>
    resolve(new Map([...target].map(([name, { loaded }]) => [name, loaded.manifest])))

  /** All of the target, or a `PackFault`. */
  async function build(target: Target): Promise<Built> {
    const { order, refused } = resolved(target)
    for (const [pack, reason] of refused) throw new PackFault(pack, 'requirements', reason)
    const packs = order.map((name) => target.get(name) as Mountable)
    const { applied, failed: broken, newer } = await migrator.migrate(packs.map(({ loaded }) => loaded))
    for (const [pack, error] of broken) throw new PackFault(pack, 'migrations', error)
    const before = performance.now()
    const generation = await buildGeneration(++count, packs, surroundings)
    const buildMs = performance.now() - before
    await enlistOf(generation)
    const byPack = Map.groupBy(applied, ({ pack }) => pack)
    const migrations = new Map([...byPack].map(([pack, done]) => [pack, done.map(({ name }) => name)]))
    return { generation, migrations, buildMs, newer }
  }

  async function enlistOf({ listeners, stop }: Generation): Promise<void> {
    if (listeners.size === 0) return
    try {
      await enlist(listeners.keys())
    } catch (error) {
      await stop()
      throw error
    }
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

  return { build, buildMost }
}
export type Builds = ReturnType<typeof createBuilds>
