import type { FastifyBaseLogger } from 'fastify'
import type { JSONWebKeySet } from 'jose'
import { createLocalJWKSet } from 'jose'
import type { Cache } from '../data/cache.ts'
import { unavailable } from '../errors.ts'
import { discover } from './discovery.ts'

export type FindKey = ReturnType<typeof createLocalJWKSet>

/** The public keys of the identity provider. */
export interface KeySet {
  /** The keys as known; 503 where they are unknown and the provider is away. */
  current(): Promise<FindKey>
  /** The keys read anew because one was not among them; undefined where that was done just before. */
  again(): Promise<FindKey | undefined>
}

interface Known {
  readonly jwks: JSONWebKeySet
  /** Milliseconds since 1970. */
  readonly readAt: number
}

const FRESH_MS = 10 * 60_000
/** So long a provider may be away before its keys are forgotten. */
const KEPT_MS = 60 * 60_000
const AGAIN_AFTER_MS = 30_000
const RETRY_AFTER_MS = 5_000

/** The key set of an issuer by discovery, shared through `cache`, read anew every ten minutes. */
export function createKeySet({
  issuer,
  cache,
  log,
  now
}: {
  issuer: string
  cache: Cache
  log: Pick<FastifyBaseLogger, 'warn'>
  now: () => number
}): KeySet {
  let known: (Known & { find: FindKey }) | undefined
  let reading: Promise<FindKey> | undefined
  let failedAt = Number.NEGATIVE_INFINITY
  let missedAt = Number.NEGATIVE_INFINITY

  const use = (it: Known): FindKey => {
    known = { ...it, find: createLocalJWKSet(it.jwks) }
    return known.find
  }
  const age = (it: Known): number => now() - it.readAt
  const away = (cause?: unknown) => unavailable('The identity provider cannot be reached', { cause })

  async function read(): Promise<FindKey> {
    if (now() - failedAt < RETRY_AFTER_MS) throw away()
    try {
      const it = { jwks: await discover(issuer), readAt: now() }
      const find = use(it)
      await cache.set(issuer, it, KEPT_MS)
      return find
    } catch (error) {
      failedAt = now()
      log.warn(
        { issuer, reason: (error as Error).message },
        'The keys of the identity provider cannot be read'
      )
      throw away(error)
    }
  }

  const readOnce = (): Promise<FindKey> => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }

  async function restore(): Promise<void> {
    const it = await cache.get<Known>(issuer)
    if (it && age(it) < KEPT_MS) use(it)
  }

  return {
    async current() {
      if (!known) await restore()
      if (!known || age(known) >= KEPT_MS) return readOnce()
      if (age(known) >= FRESH_MS) readOnce().catch(() => undefined)
      return known.find
    },
    async again() {
      if (reading) return reading
      if (now() - missedAt < AGAIN_AFTER_MS) {
        if (failedAt >= missedAt) throw away()
        return undefined
      }
      missedAt = now()
      return readOnce()
    }
  }
}
