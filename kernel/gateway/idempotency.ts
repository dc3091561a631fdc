import { createHash, randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Knex } from 'knex'
import { isDatabaseAway } from '../data/connect.ts'
import { within } from '../data/deadline.ts'
import { conflict, invalid, unavailable } from '../errors.ts'
import type { Known, Reply, RequestKey, Run } from './attempts.ts'
import { createAttemptStore } from './attempts.ts'
import { createDebts } from './debts.ts'

export interface KeyedRequest {
  readonly project: string
  /** Id of the effective principal, with the initiator for whom it acts. */
  readonly principal: string
  readonly method: string
  /** With its query. */
  readonly path: string
  /** Of the header: 1 to 255 visible ASCII characters, else 400. */
  readonly key: string
  /** As parsed; bytes stand for themselves; undefined when it is not compared. */
  readonly body: unknown
}

/** The one run of a request with a key. */
export interface Attempt {
  /**
   * Marks, in the very transaction of the change, that the request was applied. Throws a conflict, so that the
   * transaction rolls back, when this instance was taken for dead and another runs the request now.
   */
  commit(trx: Knex.Transaction): Promise<void>
  /**
   * Keeps the reply, with its content type, ETag, location and run id, for repetitions; a 5xx or 429 is forgotten
   * instead, and the request may be tried again unless it was applied. Never rejects and waits a second at most:
   * while the database is away the outcome is written later.
   */
  finish(reply: { status: number; headers: Readonly<Record<string, unknown>>; body: string }): Promise<void>
  /**
   * Ends without a reply, like a 5xx; nothing after `finish`. What the request still wants to change is refused,
   * unless it had changed something before: then it goes on, and `finish` may still follow.
   */
  abandon(): Promise<void>
}

export interface Idempotency {
  /**
   * The stored reply of the same request before, or leave to run. Throws a conflict for another body
   * (`idempotency_key_reused`), while the first still runs (`idempotency_in_progress`), and when the first was
   * applied but its reply was lost (`idempotency_outcome_unknown`); `unavailable` without the database.
   */
  begin(request: KeyedRequest): Promise<{ replay: Reply } | { run: Attempt }>
  /** Removes what is older than 24 hours; returns how much. To be called every hour. */
  prune(): Promise<number>
  /** Writes outcomes that are still owed, if the database lets it. */
  close(): Promise<void>
}

interface IdempotencyOptions {
  readonly knex: Knex
  /** This instance's number; undefined while it has none. */
  instance(): number | undefined
  isAlive(instance: number): Promise<boolean>
  readonly log: Pick<FastifyBaseLogger, 'warn'>
}

const KEY = /^[\x21-\x7e]{1,255}$/
const KEPT_HEADERS = ['content-type', 'etag', 'location', 'x-run-id']
const WAIT_MS = 1_000
/** How often a request that others change meanwhile is looked at again. */
const LOOKS = 5

export function createIdempotency({ knex, instance, isAlive, log }: IdempotencyOptions): Idempotency {
  const debts = createDebts(log)
  const store = createAttemptStore(knex, (run, error) =>
    debts.add(run.attempt, () => store.forget(run), error)
  )

  function attemptOf(run: Run): Attempt {
    let finished = false
    const write = (outcome: () => Promise<void>): Promise<void> =>
      within(WAIT_MS, outcome()).catch((error) => debts.add(run.attempt, outcome, error))
    return {
      async commit(trx) {
        if (!(await store.apply(trx, run))) throw inProgress()
      },
      finish({ status, headers, body }) {
        finished = true
        if (status >= 500 || status === 429) return write(() => store.forget(run))
        return write(() => store.keep(run, { status, headers: kept(headers), body }))
      },
      async abandon() {
        if (!finished) await write(() => store.forget(run))
      }
    }
  }

  /** What the record of the first request says to its repetition: a reply, or which attempt to take over. */
  async function judge(known: Known, digest: Buffer): Promise<Reply | 'take over' | 'look again'> {
    if (known.expired) return 'take over'
    if (!known.digest.equals(digest))
      throw conflict('The Idempotency-Key was used with another body', { code: 'idempotency_key_reused' })
    if (known.reply) return known.reply
    if (await debts.pay(known.attempt)) return 'look again'
    if (known.instance !== undefined && (await isAlive(known.instance))) throw inProgress()
    if (!known.applied) return 'take over'
    throw conflict('The first request with this Idempotency-Key was applied, but its reply was lost', {
      code: 'idempotency_outcome_unknown'
    })
  }

  async function begin(request: KeyedRequest): Promise<{ replay: Reply } | { run: Attempt }> {
    const key = keyOf(request)
    const digest = digestOf(request.body)
    const self = instance()
    if (self === undefined) throw unavailable('Idempotency keys cannot be checked at the moment')
    for (let look = 0; look < LOOKS; look++) {
      const run = { ...key, attempt: randomUUID() }
      if (await store.insert(run, digest, self)) return { run: attemptOf(run) }
      const known = await store.find(key)
      if (!known) continue
      const verdict = await judge(known, digest)
      if (typeof verdict === 'object') return { replay: verdict }
      if (verdict === 'look again') continue
      if (await store.takeOver(known.attempt, run, digest, self)) return { run: attemptOf(run) }
    }
    throw inProgress()
  }

  return {
    begin: (request) =>
      begin(request).catch((error) => {
        if (!isDatabaseAway(error)) throw error
        throw unavailable('Idempotency keys cannot be checked at the moment', { cause: error })
      }),
    prune: () => store.prune(),
    close: () => debts.close()
  }
}

const inProgress = () =>
  conflict('The first request with this Idempotency-Key is still running', {
    code: 'idempotency_in_progress'
  })

function keyOf({ project, principal, method, path, key }: KeyedRequest): RequestKey {
  if (!KEY.test(key))
    throw invalid('idempotency-key', 'Idempotency-Key must be 1 to 255 visible ASCII characters')
  // Hashed, because a path has no greatest length and its query may hold a secret.
  return { project, id: sha256(JSON.stringify([principal, method, path, key])) }
}

/**
 * Of a canonical form, not of the bytes that came: by the time a request is known to be one to run, its body has
 * been parsed, and clients that build it anew for each try may order its members differently.
 */
function digestOf(body: unknown): Buffer {
  if (body === undefined) return sha256('')
  if (body instanceof Uint8Array) return sha256('bytes', body)
  try {
    return sha256('json', JSON.stringify(body, sorted))
  } catch (error) {
    if (error instanceof RangeError) throw invalid('', 'The body is nested too deeply')
    throw error
  }
}

function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function sha256(...parts: (string | Uint8Array)[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

function kept(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const result: Record<string, string> = {}
  for (const name of KEPT_HEADERS) if (headers[name] !== undefined) result[name] = String(headers[name])
  return result
}
