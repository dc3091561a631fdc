import type { Knex } from 'knex'
import type { Fragment } from '../database/hot.ts'
import type { Trx } from '../database/transaction.ts'
import { afterCommit } from '../database/transaction.ts'
import type { Principal } from '../identity/ownership.ts'
import type { Fact, FactDetails } from './fact.ts'
import { enlist } from './facts-cursor.ts'
import type { FactsOptions, Replayed } from './facts-delivery.ts'
import { createDelivery } from './facts-delivery.ts'
import type { Backlog } from './facts-held.ts'
import { countHeld, findDeadLettered } from './facts-held.ts'
import { createLoop } from './facts-loop.ts'
import type { Recorded } from './facts-outbox.ts'
import { insertion, insertions, prune, toFact } from './facts-outbox.ts'
import { restore } from './facts-restore.ts'
import type { Signals } from './signals.ts'

/** The outbox: facts written with what made them true, handled by each listening pack exactly once. */
export interface Facts {
  /** Writes a fact in the caller's transaction. Throws a TypeError when its data has no JSON form. */
  record(trx: Trx, name: string, by: Principal, details: FactDetails): Promise<void>
  /**
   * The same as an insert of any number for a larger statement; call `recorded` with them after that has committed.
   * With `given`, a query of that statement, only those whose subject is the `id` of a row there.
   */
  rows(facts: readonly Recorded[], given?: string): Fragment
  /** Wakes delivery, here and on the other instances, if a pack here listens to one of them. */
  recorded(facts: readonly { readonly name: string }[]): void
  /** Has delivery here look at once for what there is, though facts come in a stream, in which it gathers them. */
  look(): void
  /** Begins to deliver: after the migrations, before anything is recorded. Rejects when the database fails. */
  start(): Promise<void>
  /** Gives packs that listen for the first time what is recorded from now on: call it before they are on. */
  enlist(packs: Iterable<string>): Promise<void>
  /** Facts that were set aside, the latest first, at most 100. */
  deadLettered(pack?: string): Promise<DeadLettered[]>
  /** How many facts each pack could not handle yet; packs without any are left out. */
  backlog(): Promise<Backlog[]>
  /** Tries a dead-lettered fact now. Throws 404 for one that is not dead-lettered, 409 while the pack does not listen to it. */
  replay(pack: string, factId: string): Promise<Replayed>
  /** Removes the cursor and the held facts of a pack that is gone for good; facts are kept for it until then. How many
   *  were held. */
  forget(pack: string, on?: Knex | Trx): Promise<number>
  /** Removes old facts that no pack needs any more; how many. To be called every hour. */
  prune(): Promise<number>
  /** Finishes what is under way. */
  close(): Promise<void>
}

/** A fact that a pack could not handle, and that no longer holds back its subject. */
export interface DeadLettered {
  readonly pack: string
  readonly fact: Fact
  readonly attempts: number
  /** What the last attempt failed with, at most 500 characters. */
  readonly error: string
  /** ISO 8601. */
  readonly deadLetteredAt: string
}

const topic = 'facts'
const signalGapMs = 50

export function createFacts(
  options: FactsOptions & { signals: Pick<Signals, 'send' | 'on' | 'onChange'> }
): Facts {
  const { knex, signals, log } = options
  const { deliver, replay } = createDelivery(options)
  const loop = createLoop(options, deliver)
  signals.on(topic, loop.wake)
  signals.onChange(loop.wake)
  let signal: NodeJS.Timeout | undefined

  function recorded(facts: readonly { readonly name: string }[]) {
    // To look for nothing costs as much as it does to find something. Who listens elsewhere alone looks each second.
    const heard = ({ name }: { readonly name: string }) =>
      options
        .listeners()
        .values()
        .some(({ names }) => names.has(name))
    const count = facts.filter(heard).length
    if (count === 0) return
    loop.hear(count)
    // The others matter only where a pack is on there alone: a few signals do for many facts.
    signal ??= setTimeout(() => {
      signal = undefined
      signals.send(topic)
    }, signalGapMs)
  }

  return {
    async record(trx, name, by, details) {
      const { text, values } = insertion(name, by, details)
      await trx.raw(text.replace(/\$\d+/g, '?'), values as Knex.Value[])
      afterCommit(trx, () => recorded([{ name }]))
    },
    rows: insertions,
    recorded,
    look: loop.lookNow,
    async start() {
      if (await restore(knex)) log.warn('Facts and cursors of another server were fitted to this one')
      loop.start()
    },
    enlist: (packs) => enlist(knex, [...packs]),
    async deadLettered(pack) {
      const rows = await findDeadLettered(knex, pack === undefined ? {} : { pack })
      return rows.map((row) => {
        const { pack, attempts, error, deadLetteredAt } = row
        return { pack, fact: toFact(row), attempts, error, deadLetteredAt }
      })
    },
    backlog: () => countHeld(knex),
    replay,
    async forget(pack, on = knex) {
      // The cursor first: the instance that delivers has it until what is held lies there.
      await on('kernel.fact_cursor').where({ pack }).delete()
      return on('kernel.fact_held').where({ pack }).delete()
    },
    prune: () => prune(knex),
    async close() {
      clearTimeout(signal)
      await loop.close()
    }
  }
}
