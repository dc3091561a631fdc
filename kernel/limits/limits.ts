import type { FastifyBaseLogger } from 'fastify'
import type { Knex } from 'knex'
import { LRUCache } from 'lru-cache'
import { RateLimiterPostgres, RateLimiterRedis } from 'rate-limiter-flexible'
import { within } from '../database/deadline.ts'
import type { Redis } from '../database/redis.ts'
import { createRedis } from '../database/redis.ts'
import type { Bucket } from './bucket.ts'
import { createBucket } from './bucket.ts'

export type { Bucket }
export type LimitKind = 'gateway' | 'platform' | 'sensitive' | 'anonymous'

export interface Limits {
  bucket(kind: LimitKind, key: string): Bucket
  /** Removes windows that have ended from the shared store. To be called every hour. */
  prune(): Promise<unknown>
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

const WAIT_MS = 1_000
const HOUR_MS = 3_600_000

/**
 * Limits that no number of instances exceeds together: each leases units ahead from the shared store and counts
 * them down in memory. Units that an instance leased and did not use are lost with their window, so that the
 * others may refuse slightly early.
 */
export function createLimits({ knex, redisUrl, log, limits, windowSeconds = 60 }: LimitsOptions): Limits {
  const redis = redisUrl ? createRedis({ url: redisUrl, log }) : undefined
  const open = (kind: LimitKind) => {
    const limit = limits[kind]
    const window = { points: limit, duration: windowSeconds }
    const counter = redis ? inRedis(redis, kind, window) : inPostgres(knex, kind, window)
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
    const take = (key: string, units: number) =>
      redis ? redis.use(WAIT_MS, () => count(key, units)) : within(WAIT_MS, count(key, units))
    return new LRUCache<string, Bucket>({
      max: 10_000,
      memoMethod: (key) => createBucket(limit, (units) => take(key, units))
    })
  }
  const kinds = {
    gateway: open('gateway'),
    platform: open('platform'),
    sensitive: open('sensitive'),
    anonymous: open('anonymous')
  }
  return {
    bucket: (kind, key) => kinds[kind].memo(key),
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

const inRedis = ({ client }: Redis, kind: LimitKind, window: Window) =>
  new RateLimiterRedis({
    ...window,
    storeClient: client,
    useRedisPackage: true,
    rejectIfRedisNotReady: true,
    keyPrefix: `allowance:${kind}`
  })

const inPostgres = (knex: Knex, kind: LimitKind, window: Window) =>
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
