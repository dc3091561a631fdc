import type { FastifyBaseLogger } from 'fastify'
import type { Knex } from 'knex'
import type { Trx } from '../data/transaction.ts'
import type { Principal } from '../ownership.ts'
import type { Asked, Changing } from './change.ts'
import type { Patch } from './desired.ts'
import type { Following } from './follow.ts'
import type { States } from './states.ts'

const CHANGED = 'packs.changed'
/** Held while packs change, so that two instances never change them at once. */
const LOCK = 'select pg_advisory_xact_lock(4712, 1)'
const SOON_MS = 1_000
const LATE_MS = 60_000

interface Deps {
  readonly knex: Knex
  readonly log: FastifyBaseLogger
  readonly states: States
  readonly change: Changing
  readonly follow: Following
  readonly signals: {
    send(topic: string, data?: unknown): void
    on(topic: string, hear: () => void): Disposable
  }
}

/** Changes packs one after another: on request, and when the desired state was changed elsewhere. */
export function createHost({ knex, log, states, change, follow, signals }: Deps) {
  let queue: Promise<unknown> = Promise.resolve()
  let retry: NodeJS.Timeout | undefined
  let patience = SOON_MS
  let closed = false

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

  async function followNow(): Promise<void> {
    clearTimeout(retry)
    await exclusively(follow)
    await states.publish()
    tend()
  }
  const followSoon = () => {
    if (closed) return
    inTurn(followNow).catch((error) => {
      log.error({ err: error }, 'packs could not follow the desired state')
      tend()
    })
  }

  /** Tries again while something has failed or waits, with growing pauses. */
  function tend() {
    const restless = states.named('failed').length + states.named('waiting for code').length > 0
    patience = restless ? Math.min(patience * 2, LATE_MS) : SOON_MS
    clearTimeout(retry)
    if (restless && !closed) retry = setTimeout(followSoon, patience).unref()
  }

  async function apply(asked: Asked): Promise<void> {
    const outcome = await exclusively((trx) => change(trx, asked)).catch((error) => {
      // What runs may no longer be what is written: the table decides.
      followSoon()
      throw error
    })
    await states.publish()
    if ('refused' in outcome) throw outcome.refused
    outcome.observe()
    signals.send(CHANGED)
  }

  const hearing = signals.on(CHANGED, followSoon)

  return {
    follow: () => inTurn(followNow),
    change: ({ id }: Pick<Principal, 'id'>, pack: string, patch: Patch) =>
      inTurn(() => apply({ by: id, pack, patch, reload: false })),
    reload: ({ id }: Pick<Principal, 'id'>, pack: string) =>
      inTurn(() => apply({ by: id, pack, patch: {}, reload: true })),
    async close() {
      closed = true
      hearing[Symbol.dispose]()
      clearTimeout(retry)
      await queue
    }
  }
}
export type Host = ReturnType<typeof createHost>
