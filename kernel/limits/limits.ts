import type { FastifyBaseLogger } from 'fastify'
import type { Knex } from 'knex'
import { LRUCache } from 'lru-cache'
import { RateLimiterPostgres, RateLimiterRedis } from 'rate-limiter-flexible'
import { rateLimited } from '../contract/errors.ts'
import { within } from '../database/deadline.ts'
import type { Redis } from '../database/redis.ts'
import { createRedis } from '../database/redis.ts'
import type { Bucket } from './bucket.ts'
import { createBucket, storeAway } from './bucket.ts'

export type { Bucket }
export type LimitKind = 'gateway' | 'platform' | 'sensitive' | 'anonymous'

export interface Limits {
  bucket(kind: LimitKind, key: string): Bucket
  /**
   * Counts a guess at the secret of that key, in a window that begins with its first guess. 429 above `most`, until the window
   * ends. A guess that was right is to be taken back by what it returns.
   */
  guess(kind: string, key: string, window: Guesses): Promise<() => Promise<void>>
  /** Of a limit beside these: `name` is counted by itself, and so many are allowed a window. */
  bucketOf(name: string, limit: number, key: string): Bucket
  /** Removes windows that have ended from the shared store. To be called every hour. */
  prune(): Promise<unknown>
  close(): Promise<void>
}

export interface Guesses {
  readonly most: number
  readonly seconds: number
}

interface LimitsOptions {
  readonly knex: Knex
  readonly redisUrl?: string | undefined
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'info'>
  /** Requests a window. */
  readonly limits: Readonly<Record<LimitKind, number>>
  readonly windowSeconds?: number
}

/** Redis does nothing else; the database may have a connection to open first, on a machine that is busy. */
const WAIT_MS = { redis: 1_000, postgres: 3_000 }
const HOUR_MS = 3_600_000

/**
 * Limits that no number of instances exceeds together: each leases units ahead from the shared store and counts
 * them down in memory. Units that an instance leased and did not use are lost with their window, so that the
 * others may refuse slightly early.
 */
export function createLimits({ knex, redisUrl, log, limits, windowSeconds = 60 }: LimitsOptions): Limits {
  const redis = redisUrl ? createRedis({ url: redisUrl, log }) : undefined
  const counterOf = (kind: string, window: Window) =>
    redis ? inRedis(redis, kind, window) : inPostgres(knex, kind, window)
  const ask = <T>(work: () => Promise<T>) =>
    redis ? redis.use(WAIT_MS.redis, work) : within(WAIT_MS.postgres, work())
  const open = (kind: string, limit: number) => {
    const counter = counterOf(kind, { points: limit, duration: windowSeconds })
    // `penalty` counts without judging. Takings never overlap, so that the part of one that lies below the limit
    // is granted exactly once, and the last units of a window are not lost to a request for too many.
    const count = async (key: string, units: number) => {
      const { consumedPoints, msBeforeNext } = await counter.penalty(key, units)
      return {
        granted: Math.min(units, Math.max(0, limit - consumedPoints + units)),
        remaining: Math.max(0, limit - consumedPoints),
        msLeft: Math.max(0, msBeforeNext)
      }
    }
    return new LRUCache<string, Bucket>({
      max: 10_000,
      memoMethod: (key) => createBucket(limit, (units) => ask(() => count(key, units)))
    })
  }
  async function guess(kind: string, key: string, { most, seconds }: Guesses) {
    const counter = counterOf(kind, { points: most, duration: seconds })
    const { consumedPoints, msBeforeNext } = await ask(() => counter.penalty(key, 1)).catch(storeAway)
    if (consumedPoints > most) throw rateLimited(Math.ceil(msBeforeNext / 1_000), 'Too many failed attempts')
    return async () => {
      await ask(() => counter.reward(key, 1)).catch(storeAway)
    }
  }
  const kinds = {
    gateway: open('gateway', limits.gateway),
    platform: open('platform', limits.platform),
    sensitive: open('sensitive', limits.sensitive),
    anonymous: open('anonymous', limits.anonymous)
  }
  const others = new LRUCache<string, ReturnType<typeof open>>({ max: 1_000 })
  return {
    bucket: (kind, key) => kinds[kind].memo(key),
    guess,
    bucketOf(name, limit, key) {
      const place = `${limit}/${name}`
      let kind = others.get(place)
      if (!kind) others.set(place, (kind = open(name, limit)))
      return kind.memo(key)
    },
    // Redis does that itself.
    prune: async () =>
      redis ||
      knex('kernel.allowance')
        .where('expire', '<', Date.now() - HOUR_MS)
        .delete(),
    close: async () => redis?.close()
  }
}

interface Window {
  readonly points: number
  readonly duration: number
}

const inRedis = ({ client }: Redis, kind: string, window: Window) =>
  new RateLimiterRedis({
    ...window,
    storeClient: client,
    useRedisPackage: true,
    rejectIfRedisNotReady: true,
    keyPrefix: `allowance:${kind}`
  })

const inPostgres = (knex: Knex, kind: string, window: Window) =>
  new RateLimiterPostgres({
    ...window,
    storeClient: knex,
    storeType: 'knex',
    schemaName: 'kernel',
    tableName: 'allowance',
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: kind
  })
