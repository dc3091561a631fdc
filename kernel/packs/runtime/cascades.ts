import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Knex } from 'knex'
import type { RemoveSome } from '../../contract/pack.ts'
import { schemaOf } from '../../database/migrator.ts'
import type { Trx } from '../../database/transaction.ts'
import { afterCommit } from '../../database/transaction.ts'
import type { Fact } from '../../events/fact.ts'
import type { Manifest } from '../loader/manifest.ts'
import type { Dependencies } from './containers.ts'

/** A name that no step of a pack's own can have. */
export const CASCADE = 'kernel.cascade'
const BATCH = 500
const LOOK_MS = 60_000
const FIRST_MS = 250
const LONGEST_MS = 60_000

interface Deps {
  readonly knex: Knex
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  advance(pack: string, name: string, id: string): Promise<'done' | 'handed over'>
}

/** What a pack's manifest says of cascades, ready for a generation. */
export interface Cascade {
  readonly on: ReadonlyMap<string, (fact: Fact, trx: Trx) => Promise<void>>
  step(): Promise<'again' | 'done'>
}

interface Pending {
  readonly pack: string
  readonly fact: string
  readonly name: string
  readonly project: string
  readonly subject: string
}

/**
 * Rows that go with something of another pack. What is to be deleted is noted in the transaction that handles the fact,
 * and deleted in batches, each in a step and a transaction of its own: by any instance, also after a crash, and for a
 * pack that was off as soon as it is on again.
 */
export function createCascades({ knex, log, advance }: Deps) {
  /** Packs whose pending deletions are under way here; true: and there may be more since. */
  const busy = new Map<string, boolean>()
  const pendings = (on: Knex | Trx) => on<Pending>('kernel.pending_deletion')

  function of(pack: string, manifest: Manifest, deps: Dependencies): Cascade {
    const removers = new Map<string, RemoveSome>()
    const on = new Map<string, (fact: Fact, trx: Trx) => Promise<void>>()
    for (const [fact, cascade] of Object.entries(manifest.cascade ?? {})) {
      const names = Object.keys(cascade)
      for (const [name, how] of Object.entries(cascade))
        removers.set(
          `${fact}/${name}`,
          typeof how === 'function' ? how(deps) : fromTable(`${schemaOf(pack)}.${name}`, how)
        )
      on.set(fact, async ({ project, subject }, trx) => {
        const rows = names.map((name) => ({ pack, fact, name, project, subject }))
        await pendings(trx).insert(rows).onConflict().ignore()
        afterCommit(trx, () => work(pack))
      })
    }

    const step: Cascade['step'] = () =>
      knex.transaction(async (trx) => {
        const pending = await pendings(trx)
          .where({ pack })
          .orderBy('subject')
          .forUpdate()
          .skipLocked()
          .first()
        if (!pending) return 'done'
        const { fact, name, project, subject } = pending
        const removed = await removers.get(`${fact}/${name}`)?.({ project, id: subject }, trx, BATCH)
        // None, or a version of the pack that keeps no such rows any more.
        if (!removed) await pendings(trx).where(pending).delete()
        return 'again'
      })
    return { on, step }
  }

  function work(pack: string): void {
    const isBusy = busy.has(pack)
    busy.set(pack, isBusy)
    if (!isBusy) void untilDone(pack)
  }

  /** What fails is tried again, less and less often. */
  async function untilDone(pack: string): Promise<void> {
    for (let wait = FIRST_MS; ; )
      try {
        busy.set(pack, false)
        const end = await advance(pack, CASCADE, '')
        if (end === 'done' && busy.get(pack)) continue
        break
      } catch (error) {
        // Goes on when the pack is on again.
        if ((error as { code?: unknown }).code === 'pack_off') break
        log.warn({ err: error, pack }, 'pending deletions are tried again')
        await delay(wait, undefined, { ref: false })
        wait = Math.min(2 * wait, LONGEST_MS)
      }
    busy.delete(pack)
  }

  /** What other instances, or this one before, have left. */
  async function resume(): Promise<void> {
    const packs = await pendings(knex).distinct('pack').pluck('pack')
    for (const pack of packs) work(pack)
  }
  const resumeOrTell = () =>
    resume().catch((error) => log.warn({ err: error }, 'pending deletions could not be read'))
  let timer: NodeJS.Timeout | undefined

  return {
    of,
    /** Now, and from now on whenever an instance has left something. */
    async resume() {
      timer ??= setInterval(resumeOrTell, LOOK_MS).unref()
      await resumeOrTell()
    },
    /** Of a pack that is gone for good. */
    forget: (trx: Trx, pack: string): Promise<number> => pendings(trx).where({ pack }).delete(),
    close: () => clearInterval(timer)
  }
}
export type Cascades = ReturnType<typeof createCascades>

const fromTable =
  (table: string, column: string): RemoveSome =>
  ({ project, id }, trx, limit) => {
    const rows = () => trx(table).where({ project, [column]: id })
    return rows().whereIn('id', rows().limit(limit).select('id')).delete()
  }
