import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import { RateLimiterPostgres, RateLimiterRedis } from 'rate-limiter-flexible'
import { within } from '../data/deadline.ts'
import type { Redis } from '../data/redis.ts'

/** What all instances have taken of one kind of limit, by key, in windows that begin with the first taking. */
export interface Allowance {
  /** Adds `units` to what was taken. Rejects when the store is away, after a second at the latest. */
  take(key: string, units: number): Promise<Taken>
}

interface Taken {
  /** How many of the units lay within the limit: nobody else gets these. */
  readonly granted: number
  /** What is left of the limit after them. */
  readonly remaining: number
  /** Until the window ends, in milliseconds. */
  readonly msLeft: number
}

interface AllowanceOptions {
  readonly knex: Knex
  readonly redis: Redis | undefined
  readonly kind: string
  readonly limit: number
  readonly windowSeconds: number
}

const WAIT_MS = 1_000
const HOUR_MS = 3_600_000
/** What any store takes as a key, at any setting; everything else goes by its hash. */
const PLAIN = /^[\x21-\x7e]{1,400}$/

export function createAllowance(options: AllowanceOptions): Allowance {
  const { redis, limit } = options
  const counter = redis ? inRedis(options, redis) : inPostgres(options)
  // `penalty` counts without judging. Takings never overlap, so that the part of one that lies below the limit
  // is granted exactly once, and the last units of a window are not lost to a request for too many.
  const count = async (key: string, units: number): Promise<Taken> => {
    const { consumedPoints, msBeforeNext } = await counter.penalty(key, units)
    const before = consumedPoints - units
    return {
      granted: Math.min(units, Math.max(0, limit - before)),
      remaining: Math.max(0, limit - consumedPoints),
      msLeft: Math.max(0, msBeforeNext)
    }
  }
  return {
    take(key, units) {
      const name = PLAIN.test(key) ? key : `#${createHash('sha256').update(key).digest('base64url')}`
      return redis ? redis.use(WAIT_MS, () => count(name, units)) : within(WAIT_MS, count(name, units))
    }
  }
}

/** Removes windows that ended more than an hour ago; Redis does that itself. */
export async function pruneAllowance(knex: Knex): Promise<void> {
  await knex('kernel.allowance')
    .where('expire', '<', Date.now() - HOUR_MS)
    .delete()
}

function inRedis({ kind, limit, windowSeconds }: AllowanceOptions, redis: Redis) {
  return new RateLimiterRedis({
    storeClient: redis.client,
    useRedisPackage: true,
    rejectIfRedisNotReady: true,
    keyPrefix: `allowance:${kind}`,
    points: limit,
    duration: windowSeconds
  })
}

function inPostgres({ knex, kind, limit, windowSeconds }: AllowanceOptions) {
  return new RateLimiterPostgres({
    storeClient: knex,
    storeType: 'knex',
    schemaName: 'kernel',
    tableName: 'allowance',
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: kind,
    points: limit,
    duration: windowSeconds
  })
}
