import type { Trx } from '../data/transaction.ts'
import { conflict, notFound } from '../errors.ts'
import type { Builds, Built } from './builds.ts'
import { failed } from './builds.ts'
import type { Desired, Patch } from './desired.ts'
import type { LoadFault } from './fault.ts'
import type { Mountable } from './generation.ts'
import { PackFault } from './generation.ts'
import type { Found, Loader } from './loader.ts'
import { loadFound } from './loader.ts'
import type { ChangeRecord, ChangeRecords, NewChange } from './records.ts'
import type { GenerationServer } from './server.ts'
import type { States } from './states.ts'
import type { Swapped, Swaps } from './swaps.ts'

interface Deps {
  readonly loader: Loader
  readonly desired: Desired
  readonly states: States
  readonly records: ChangeRecords
  readonly server: GenerationServer
  readonly builds: Builds
  readonly swaps: Swaps
  readonly instance: () => number | undefined
}

/** A change that somebody asked for. */
export interface Asked {
  readonly by: string
  readonly pack: string
  readonly patch: Patch
  /** Take the files that lie there now, whether they changed or not. */
  readonly reload: boolean
}

/** Applied and written, or refused with the reason; `observe` is to be called once it is committed. */
export type Outcome = { readonly observe: () => void } | { readonly refused: Error }

/** Applies one change here, and writes it down only when that went well. */
export function createChanging(deps: Deps) {
  const { loader, desired, states, records, server, builds, swaps, instance } = deps

  async function schemaOf(found: Found | LoadFault | undefined, now: Mountable | undefined) {
    if (now) return now.loaded.manifest.settings
    const loaded = await loadFound(loader, found).catch(() => undefined)
    return loaded?.manifest.settings
  }

  return async (trx: Trx, { by, pack, patch, reload }: Asked): Promise<Outcome> => {
    const found = (await loader.scan()).get(pack)
    const row = (await desired.read(trx)).get(pack)
    const now = server.current().packs.get(pack)
    if (!found && !row && !now) throw notFound('Pack')
    const next = await desired.patched(pack, await schemaOf(found, now), row, patch)
    const on = desired.enabled(pack, next).value
    if (reload && !on) throw conflict(`${pack} is off`, { code: 'pack_off' })
    const record: NewChange = {
      actor: by,
      instance: instance() ?? null,
      pack,
      action: actionOf(patch, reload, on),
      outcome: 'applied',
      reason: null,
      fromDigest: now?.loaded.digest ?? null,
      toDigest: null,
      migrations: [],
      buildMs: null,
      before: null
    }
    let toDigest: string | null = null
    let built: Built
    let swapped: Swapped
    try {
      const target = new Map<string, Mountable>(server.current().packs)
      if (on) {
        const loaded = reload || !now ? await loadFound(loader, found) : now.loaded
        toDigest = loaded.digest
        target.set(pack, { loaded, settings: await desired.settings(pack, loaded.manifest.settings, next) })
      } else target.delete(pack)
      built = await builds.build(target)
      swapped = swaps.swap(built.generation)
    } catch (error) {
      const state = failed(error, now?.loaded.digest ?? null, toDigest)
      const whose = error instanceof PackFault && error.pack !== pack ? `${error.pack}: ` : ''
      const reason = `${whose}${state.reason}`
      if (on) states.set(pack, { ...state, reason })
      await records.insert(trx, { ...record, toDigest, outcome: 'refused', reason })
      return { refused: conflict(reason, { code: 'pack_failed', cause: error }) }
    }
    await desired.write(trx, { ...next, digest: toDigest ?? next.digest })
    const { buildMs, migrations } = built
    const { before, observe } = swapped
    const done = { ...record, toDigest, migrations: migrations.get(pack) ?? [], buildMs, before }
    const id = await records.insert(trx, done)
    return { observe: () => observe([id]) }
  }
}
export type Changing = ReturnType<typeof createChanging>

function actionOf({ enabled, settings }: Patch, reload: boolean, on: boolean): ChangeRecord['action'] {
  if (reload) return 'reloaded'
  if (settings && enabled === undefined) return 'configured'
  return on ? 'enabled' : 'disabled'
}
