import type { FastifyBaseLogger } from 'fastify'
import type { Knex } from 'knex'
import { LRUCache } from 'lru-cache'
import { createRedis } from '../data/redis.ts'
import { unavailable } from '../errors.ts'
import type { Allowance } from './allowance.ts'
import { createAllowance, pruneAllowance } from './allowance.ts'

export type LimitKind = 'gateway' | 'platform' | 'sensitive' | 'anonymous'

/** One key's share of a limit, as far as this instance has leased it. */
export interface Bucket {
  /** True when the request is allowed out of the lease; costs no wait. */
  take(): boolean
  /**
   * After `take` said false: leases more and takes from it. 0 when the request is allowed, else the whole
   * seconds to wait, at least 1. Throws `unavailable` when the shared store is away.
   */
  lease(): Promise<number>
}

export interface Limits {
  bucket(kind: LimitKind, key: string): Bucket
  /** Removes what nobody needs any more from the shared store. To be called every hour. */
  prune(): Promise<void>
  close(): Promise<void>
}

interface LimitsOptions {
  readonly knex: Knex
  readonly redisUrl?: string | undefined
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'info'>
  /** Requests a window. */
  readonly limits: Readonly<Record<LimitKind, number>>
  readonly windowSeconds?: number
}

const MAX_BUCKETS = 10_000

/**
 * Limits that no number of instances exceeds together: each leases units ahead from the shared store and counts
 * them down in memory. Units that an instance leased and did not use are lost with their window, so that the
 * others may refuse slightly early.
 */
export function createLimits({ knex, redisUrl, log, limits, windowSeconds = 60 }: LimitsOptions): Limits {
  const redis = redisUrl ? createRedis({ url: redisUrl, log }) : undefined
  const open = (kind: LimitKind) => {
    const limit = limits[kind]
    const allowance = createAllowance({ knex, redis, kind, limit, windowSeconds })
    const buckets = new LRUCache<string, Bucket>({ max: MAX_BUCKETS })
    return (key: string): Bucket => {
      let bucket = buckets.get(key)
      if (!bucket) {
        bucket = createBucket(allowance, limit, key)
        buckets.set(key, bucket)
      }
      return bucket
    }
  }
  const kinds = {
    gateway: open('gateway'),
    platform: open('platform'),
    sensitive: open('sensitive'),
    anonymous: open('anonymous')
  }
  return {
    bucket: (kind, key) => kinds[kind](key),
    prune: () => (redis ? Promise.resolve() : pruneAllowance(knex)),
    close: async () => {
      await redis?.close()
    }
  }
}

function createBucket(allowance: Allowance, limit: number, key: string): Bucket {
  const most = limit <= 60 ? 1 : Math.floor(limit / 20)
  let units = 0
  /** When the lease dies, reckoned from when it was asked for: never after its window. */
  let diesAt = 0
  /** Nothing is left until then, reckoned from the answer: never before the window ends. */
  let refusedUntil = 0
  let size = 0
  let leased = 0
  let remaining = limit
  let waiting = 0
  let renewal: Promise<void> | undefined

  /** Small for a key that is rarely used, twofold while leases run dry, small again as the limit comes near. */
  function nextSize(now: number): number {
    const wanted =
      now < diesAt ? Math.min(size * 2, Math.floor(remaining / 4)) : Math.floor((leased - units) / 20)
    return Math.max(1, Math.min(most, wanted))
  }

  async function renew(): Promise<void> {
    const askedAt = Date.now()
    const next = nextSize(askedAt)
    const taken = await allowance
      .take(key, Math.min(Math.max(limit, 1), Math.max(next, waiting)))
      .catch((cause) => {
        throw unavailable('Rate limits cannot be checked at the moment', { cause })
      })
    leased = askedAt < diesAt ? leased + taken.granted : taken.granted
    size = next
    units = taken.granted
    remaining = taken.remaining
    diesAt = askedAt + taken.msLeft
    refusedUntil = remaining > 0 ? 0 : Date.now() + taken.msLeft
  }

  function take(): boolean {
    if (units === 0 || Date.now() >= diesAt) return false
    units--
    return true
  }

  async function lease(): Promise<number> {
    waiting++
    try {
      for (;;) {
        if (take()) return 0
        const wait = refusedUntil - Date.now()
        if (wait > 0) return Math.ceil(wait / 1000)
        renewal ??= renew().finally(() => {
          renewal = undefined
        })
        await renewal
      }
    } finally {
      waiting--
    }
  }

  return { take, lease }
}
