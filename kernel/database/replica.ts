import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Knex } from 'knex'
import { isDatabaseAway, openDatabase } from './connect.ts'
import { within } from './deadline.ts'

/** A copy of the database for what only reads and may be some seconds behind. */
export interface Replica {
  /**
   * Does work that only reads on the replica, while there is one that keeps up; else, and where it fails there, on the
   * primary. It may be done twice. Not for what a client just wrote and looks for.
   */
  read<T>(work: (on: Knex) => Promise<T>): Promise<T>
}

/** How a replica is: seconds that it may be behind, by what is known; infinite where it is not used. */
export interface ReplicaState {
  readonly used: boolean
  readonly seconds: number
}

interface Options {
  readonly url: string
  readonly primary: Knex
  /** So many seconds behind it is not used. */
  readonly mostSeconds: number
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>
}

/** How far the primary was at a time of this process. */
interface Mark {
  readonly at: number
  readonly position: bigint
}

const BEAT_MS = 1_000
const ANSWER_MS = 2_000
/** It never writes, also where the address is that of a primary, and waits for no migration that is being replayed. */
const OPTIONS = '-c default_transaction_read_only=on -c lock_timeout=1s'

// What was flushed is what can be sent.
const ofPrimary = `select system_identifier::text as system, current_database() as name,
  pg_current_wal_flush_lsn()::text as position from pg_control_system()`
const ofReplica = `select system_identifier::text as system, current_database() as name,
  pg_last_wal_replay_lsn()::text as position from pg_control_system() where pg_is_in_recovery()`

/** What both tell: `fault` where one is no replica of the other; else how many bytes of the log it is behind. */
export async function positionsOf(primary: Knex, replica: Knex, toReplica = tell) {
  const there = (await tell(primary, ofPrimary)) as Told
  const here = await toReplica(replica, ofReplica)
  const position = positionOf(there.position)
  if (!here) return { position, fault: 'it is a server of its own', replayed: 0n, behind: 0 }
  const replayed = positionOf(here.position)
  const isSame = here.system === there.system && here.name === there.name
  const fault = isSame ? undefined : 'it is of another database'
  return { position, fault, replayed, behind: Math.max(0, Number(position - replayed)) }
}

interface Told {
  readonly system: string
  readonly name: string
  readonly position: string | null
}
const tell = async (on: Knex, text: string): Promise<Told | undefined> => (await on.raw(text)).rows[0]

/**
 * How far behind it is needs no clock of a server, and is known of a primary on which nothing is written, too: the
 * position of the primary is noted each second, and what was replayed up to such a position is as old as its note.
 */
export function createReplica({ url, primary, mostSeconds, log }: Options) {
  const { knex, cut, close } = openDatabase({ connectionString: url, options: OPTIONS })
  const closing = new AbortController()
  const beatMs = Math.min(BEAT_MS, mostSeconds * 250)
  let marks: Mark[] = []
  /** Everything that was committed before then is there. */
  let freshAt = Number.NEGATIVE_INFINITY
  let fault: string | undefined = 'it was not reached yet'

  const seconds = () => (performance.now() - freshAt) / 1_000
  const isUsed = () => fault === undefined && seconds() <= mostSeconds

  async function look(): Promise<void> {
    const at = performance.now()
    const told = await positionsOf(primary, knex, (on, text) =>
      within(ANSWER_MS, tell(on, text)).catch((error) => {
        cut()
        throw new Fault(`it does not answer: ${(error as Error).message}`)
      })
    )
    if (told.fault !== undefined) throw new Fault(told.fault)
    const { position, replayed } = told
    // Another server took over, which need not have all that the one before had.
    if ((marks.at(-1)?.position ?? 0n) > position) marks = []
    marks.push({ at, position })
    const passed = marks.findLastIndex(({ position }) => position <= replayed)
    if (passed >= 0) freshAt = (marks[passed] as Mark).at
    // What is older than may be used is of no use.
    marks = marks.slice(Math.max(0, passed)).filter((it) => at - it.at <= mostSeconds * 2_000)
  }

  async function keep(): Promise<void> {
    let was = false
    while (!closing.signal.aborted) {
      try {
        await look()
        fault = undefined
      } catch (error) {
        // Where the primary does not answer, time alone decides.
        if (error instanceof Fault) fault = error.message
      }
      if (isUsed() !== was) {
        was = !was
        if (was) log.info('The replica of the database is used')
        else log.warn({ reason: fault ?? 'it is too far behind' }, 'The replica of the database is not used')
      }
      await delay(beatMs, undefined, { ref: false, signal: closing.signal }).catch(() => undefined)
    }
  }
  const kept = keep()

  return {
    async read<T>(work: (on: Knex) => Promise<T>): Promise<T> {
      if (!isUsed()) return work(primary)
      try {
        return await work(knex)
      } catch (error) {
        if (isDatabaseAway(error)) fault = 'it went away'
        // Also where a migration has not got there, or what it replays went before: the primary has the last word.
        return work(primary)
      }
    },
    state: (): ReplicaState => ({ used: isUsed(), seconds: seconds() }),
    async close(): Promise<void> {
      closing.abort()
      cut()
      await kept
      await close()
    }
  }
}

class Fault extends Error {}

/** `16/B374D848` as a number of bytes. */
function positionOf(text: string | null): bigint {
  const [high = '0', low = '0'] = (text ?? '0/0').split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}
