import KeyvRedis from '@keyv/redis'
import type { FastifyBaseLogger } from 'fastify'
import { Keyv } from 'keyv'
import { LRUCache } from 'lru-cache'
import { createRedis } from './redis.ts'

/**
 * Content that may be lost at any time, shared by all instances where Redis is configured. Values are what JSON
 * can hold. A Redis that is away means a miss, within 200 ms, never an error; what it did not hear being deleted
 * it may give back once it returns, until its time is over.
 */
export interface Cache {
  get<T>(key: string): Promise<T | undefined>
  /** Kept for `ttlMs` at most; nothing is kept when that is not above 0. */
  set(key: string, value: unknown, ttlMs: number): Promise<void>
  delete(key: string): Promise<void>
}

interface Caches {
  /** The same cache for the same name, whoever asks. */
  cache(namespace: string): Cache
  close(): Promise<void>
}

const WAIT_MS = 200
/** Of one namespace in process: entries, and characters of their JSON. */
const MAX_ENTRIES = 10_000
const MAX_LENGTH = 32 * 1024 * 1024

export function createCaches(options: {
  redisUrl?: string | undefined
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>
}): Caches {
  const { open, close } = options.redisUrl
    ? remote(options.redisUrl, options.log)
    : { open: local, close: async () => {} }
  const caches = new Map<string, Cache>()
  return {
    cache(namespace) {
      const existing = caches.get(namespace)
      if (existing) return existing
      const made = open(namespace)
      caches.set(namespace, made)
      return made
    },
    close
  }
}

function local(): Cache {
  const entries = new LRUCache<string, string>({
    max: MAX_ENTRIES,
    maxSize: MAX_LENGTH,
    sizeCalculation: (value, key) => value.length + key.length + 1
  })
  const store = {
    get: (key: string) => entries.get(key),
    // Without the time that keyv hands on: it stands in the value too, and lru-cache takes an object there.
    set: (key: string, value: string) => void entries.set(key, value),
    delete: (key: string) => entries.delete(key),
    clear: () => entries.clear()
  }
  return over(new Keyv({ store }), '', (work) => work())
}

function remote(url: string, log: Pick<FastifyBaseLogger, 'warn' | 'info'>) {
  const redis = createRedis({ url, log })
  const keyv = new Keyv({ store: new KeyvRedis(redis.client as never), useKeyPrefix: false })
  // Told once for each outage by the connection itself.
  keyv.on('error', () => {})
  const orMiss = <T>(work: () => Promise<T>): Promise<T | undefined> =>
    redis.use(WAIT_MS, work).catch(() => undefined)
  return {
    open: (namespace: string) => over(keyv, `cache:${namespace}:`, orMiss),
    close: () => redis.close()
  }
}

function over(keyv: Keyv, prefix: string, run: <T>(work: () => Promise<T>) => Promise<T | undefined>): Cache {
  return {
    get: <T>(key: string) => run<T | undefined>(() => keyv.get<T>(prefix + key)),
    async set(key, value, ttlMs) {
      if (ttlMs > 0) await run(() => keyv.set(prefix + key, value, Math.ceil(ttlMs)))
    },
    async delete(key) {
      await run(() => keyv.delete(prefix + key))
    }
  }
}
