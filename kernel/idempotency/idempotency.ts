import { hash, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Knex } from 'knex'
import { conflict, invalid, unavailable } from '../contract/errors.ts'
import { canonicalJson } from '../contract/json.ts'
import { isDatabaseAway } from '../database/connect.ts'
import { within } from '../database/deadline.ts'
import type { Known, Reply, RequestKey, Run } from './attempts.ts'
import { createAttemptStore } from './attempts.ts'

export interface KeyedRequest {
  readonly project: string
  /** Id of the effective principal, with the initiator for whom it acts. */
  readonly principal: string
  readonly method: string
  /** With its query. */
  readonly path: string
  /** Of the header: 1 to 255 visible ASCII characters, else 400. */
  readonly key: string
  /** As parsed; bytes stand for themselves. */
  readonly body: unknown
}

/** The one run of a request with a key. */
export interface Attempt {
  /** Marks, in the transaction of the change, that the request was applied. Throws when another runs it now. */
  commit(trx: Knex.Transaction): Promise<void>
  /** Keeps the reply for repetitions; a 5xx or 429 is forgotten instead. Waits a second at most. */
  finish(reply: { status: number; headers: Readonly<Record<string, unknown>>; body: string }): Promise<void>
  /** Ends without a reply, like a 5xx. What the request still wants to change is refused, unless it had before. */
  abandon(): Promise<void>
}

export type Idempotency = ReturnType<typeof createIdempotency>

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
const RETRY_MS = 250
/** How often a request that others change meanwhile is looked at again. */
const LOOKS = 5

export function createIdempotency({ knex, instance, isAlive, log }: IdempotencyOptions) {
  const store = createAttemptStore(knex)

  /** Writes an outcome, as often as the database is away. Waits a second at most, and never rejects. */
  function settle(write: () => Promise<unknown>): Promise<unknown> {
    const written = async () => {
      for (;;)
        try {
          return await write()
        } catch (error) {
          if (!isDatabaseAway(error)) return log.warn({ err: error }, 'The outcome of a request is lost')
          await delay(RETRY_MS, undefined, { ref: false })
        }
    }
    return within(WAIT_MS, written()).catch(() => undefined)
  }

  /** False when the request is known already. What was claimed, but without an answer, is given back. */
  async function claim(run: Run, digest: Buffer, self: number): Promise<boolean> {
    let sent = false
    const statement = store.insert(run, digest, self).on('query', () => {
      sent = true
    })
    try {
      return (await statement).rowCount > 0
    } catch (error) {
      if (sent) void settle(() => store.forget(run))
      throw error
    }
  }

  function attemptOf(run: Run): Attempt {
    let finished = false
    return {
      async commit(trx) {
        if (!(await store.apply(trx, run))) throw inProgress()
      },
      async finish({ status, headers, body }) {
        finished = true
        const lost = status >= 500 || status === 429
        await settle(() =>
          lost ? store.forget(run) : store.keep(run, { status, headers: kept(headers), body })
        )
      },
      async abandon() {
        if (!finished) await settle(() => store.forget(run))
      }
    }
  }

  /** What the record of the first request says to its repetition: its reply, or that it is over and may go. */
  async function judge(known: Known, digest: Buffer): Promise<Reply | undefined> {
    if (known.expired) return undefined
    if (!known.digest.equals(digest))
      throw conflict('The Idempotency-Key was used with another body', { code: 'idempotency_key_reused' })
    if (known.reply) return known.reply
    if (known.instance !== null && (await isAlive(Number(known.instance)))) throw inProgress()
    if (!known.applied) return undefined
    throw conflict('The first request with this Idempotency-Key was applied, but its reply was lost', {
      code: 'idempotency_outcome_unknown'
    })
  }

  return {
    /**
     * The stored reply of the same request before, or leave to run. Throws a conflict for another body, while the
     * first still runs, and when the first was applied but its reply was lost.
     */
    async begin(request: KeyedRequest): Promise<{ replay: Reply } | { run: Attempt }> {
      const key = keyOf(request)
      const digest = sha256(
        request.body instanceof Uint8Array ? request.body : (canonicalJson(request.body) ?? '')
      )
      const self = instance()
      if (self === undefined) throw unavailable('Idempotency keys cannot be checked at the moment')
      for (let look = 0; look < LOOKS; look++) {
        const run = { ...key, attempt: randomUUID() }
        if (await claim(run, digest, self)) return { run: attemptOf(run) }
        const known = await store.find(key)
        const reply = known && (await judge(known, digest))
        if (reply) return { replay: reply }
        if (known) await store.remove({ ...key, attempt: known.attempt })
      }
      throw inProgress()
    },
    /** Removes what is older than 24 hours; returns how much. To be called every hour. */
    prune: store.prune
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

const sha256 = (content: string | Uint8Array): Buffer => hash('sha256', content, 'buffer')

const kept = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]]))
  )
