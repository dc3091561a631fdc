import type { FastifyBaseLogger } from 'fastify'
import type { Knex } from 'knex'
import { conflict, notFound } from '../../contract/errors.ts'
import type { Trx } from '../../database/transaction.ts'
import type { Signals } from '../../events/signals.ts'
import type { GenerationServer } from '../../http/server.ts'
import { PackFault } from '../faults.ts'
import type { Loader } from '../loader/loader.ts'
import type { Built, Generations, Swapped } from '../runtime/generations.ts'
import type { Mountable } from '../runtime/parts.ts'
import type { Desired, Patch } from './desired.ts'
import { isForgotten } from './desired.ts'
import type { Reconciler } from './reconcile.ts'
import type { ChangeRecord, ChangeRecords } from './records.ts'
import type { States } from './states.ts'
import { failed } from './states.ts'

const CHANGED = 'packs.changed'
/**
 * Held while packs change, so that two instances never change them at once. To compile a generation may take a slow machine longer
 * than a transaction may rest otherwise.
 */
const LOCK = `select pg_advisory_xact_lock(4712, 1), set_config('idle_in_transaction_session_timeout', '60s', true)`
const SOON_MS = 1_000
const LATE_MS = 60_000

interface Deps {
  readonly knex: Knex
  readonly log: FastifyBaseLogger
  readonly loader: Loader
  readonly desired: Desired
  readonly states: States
  readonly records: ChangeRecords
  readonly server: GenerationServer
  readonly generations: Generations
  readonly reconcile: Reconciler
  readonly signals: Pick<Signals, 'send' | 'on'>
}

/** A change that was asked for. */
export interface Asked {
  readonly by: string
  readonly pack: string
  readonly patch: Patch
  /** Take the files that lie there now, whether they changed or not. */
  readonly reload: boolean
}

/** Applied and written, or refused with the reason; `observe` is to be called once it is committed. */
export type Outcome = { readonly observe: () => void } | { readonly refused: Error }

/** Changes packs one after another: on request, and when the desired state was changed elsewhere. */
export function createPackChanges(deps: Deps) {
  const { knex, log, loader, desired, states, records, server, generations, reconcile, signals } = deps
  let queue: Promise<unknown> = Promise.resolve()
  let retry: NodeJS.Timeout | undefined
  let patience = SOON_MS
  let closed = false
  let isTelling = false

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

  async function reconcileNow(): Promise<void> {
    clearTimeout(retry)
    await exclusively(reconcile)
    await states.publish()
    tend()
  }
  const reconcileSoon = () => {
    if (closed) return
    inTurn(reconcileNow).catch((error) => {
      log.error({ err: error }, 'packs could not follow the desired state')
      tend()
    })
  }

  /** Tries again while something has failed or waits, with growing pauses. */
  function tend() {
    const restless = states.named('failed').length + states.named('waiting for code').length > 0
    patience = restless ? Math.min(patience * 2, LATE_MS) : SOON_MS
    clearTimeout(retry)
    if (restless && !closed) retry = setTimeout(reconcileSoon, patience).unref()
  }

  /** Applies a change here, and writes it down only when that went well. */
  async function change(trx: Trx, { by, pack, patch, reload }: Asked): Promise<Outcome> {
    const found = await loader.find(pack)
    const row = (await desired.read(trx)).get(pack)
    const now = server.current().packs.get(pack)
    if (!found && !now && (!row || isForgotten(row))) throw notFound('Pack')
    const loaded = now && !reload ? now.loaded : await loader.load(found).catch((fault: Error) => fault)
    const schema = loaded instanceof Error ? undefined : loaded.manifest.settings
    const next = await desired.patched(pack, schema, row, patch)
    const on = desired.enabled(pack, next).value
    if (reload && !on) throw conflict(`${pack} is off`, { code: 'pack_off' })
    const toDigest = on && !(loaded instanceof Error) ? loaded.digest : null
    const record = {
      actor: by,
      pack,
      action: actionOf(patch, reload, on),
      fromDigest: now?.loaded.digest ?? null,
      toDigest
    }
    let built: Built
    let swapped: Swapped
    try {
      const target = new Map<string, Mountable>(server.current().packs)
      target.delete(pack)
      if (on) {
        if (loaded instanceof Error) throw loaded
        const settings = await desired.settings(pack, schema, next)
        target.set(pack, { loaded, settings, compiles: now?.loaded === loaded && now.compiles })
      }
      built = await generations.build(target)
      swapped = generations.swap(built.generation)
    } catch (error) {
      const state = failed(error, now?.loaded.digest, toDigest ?? undefined)
      const whose = error instanceof PackFault && error.pack !== pack ? `${error.pack}: ` : ''
      const reason = `${whose}${state.reason}`
      if (on) states.set(pack, { ...state, reason })
      await records.insert(trx, { ...record, reason })
      return { refused: conflict(reason, { code: 'pack_failed', cause: error }) }
    }
    await desired.write(trx, { ...next, digest: toDigest ?? next.digest })
    const { buildMs, migrations } = built
    const { before, observe } = swapped
    const id = await records.insert(trx, { ...record, migrations: migrations.get(pack), buildMs, before })
    return { observe: () => observe([id]) }
  }

  async function apply(asked: Asked): Promise<void> {
    const outcome = await exclusively((trx) => change(trx, asked)).catch((error) => {
      // What runs may no longer be what is written: the table decides.
      reconcileSoon()
      throw error
    })
    await states.publish()
    if ('refused' in outcome) throw outcome.refused
    outcome.observe()
    tell()
  }

  /** Others are to follow; heard here before it returns, where there is nothing to follow. */
  function tell() {
    isTelling = true
    signals.send(CHANGED)
    isTelling = false
  }

  /** Work on what is desired of packs that are off: alone among the changes of all instances, which follow it. */
  const amend = <T>(work: (trx: Trx) => Promise<T>): Promise<T> =>
    inTurn(async () => {
      const result = await exclusively(work)
      await states.publish()
      tell()
      return result
    })

  const hearing = signals.on(CHANGED, () => {
    if (!isTelling) reconcileSoon()
  })

  return {
    reconcile: () => inTurn(reconcileNow),
    apply: (asked: Asked) => inTurn(() => apply(asked)),
    amend,
    tell,
    async close() {
      closed = true
      hearing[Symbol.dispose]()
      clearTimeout(retry)
      await queue
    }
  }
}
export type PackChanges = ReturnType<typeof createPackChanges>

function actionOf({ enabled, settings }: Patch, reload: boolean, on: boolean): ChangeRecord['action'] {
  if (reload) return 'reloaded'
  if (settings && enabled === undefined) return 'configured'
  return on ? 'enabled' : 'disabled'
}
