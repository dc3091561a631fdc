import { createRequire } from 'node:module'
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

const require = createRequire(import.meta.url)
const WAIT_MS = 200
/** In process: entries, and characters of their JSON. */
const MAX_ENTRIES = 10_000
const MAX_LENGTH = 32 * 1024 * 1024

export function createCaches(options: {
  redisUrl?: string | undefined
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>
}) {
  const { keyv, run, close } = options.redisUrl ? remote(options.redisUrl, options.log) : local()
  return {
    /** Keys of one namespace are never those of another. */
    cache: (namespace: string): Cache => ({
      get: <T>(key: string) => run<T | undefined>(() => keyv.get<T>(`cache:${namespace}:${key}`)),
      async set(key, value, ttlMs) {
        if (ttlMs > 0) await run(() => keyv.set(`cache:${namespace}:${key}`, value, Math.ceil(ttlMs)))
      },
      async delete(key) {
        await run(() => keyv.delete(`cache:${namespace}:${key}`))
      }
    }),
    close
  }
}

type Run = <T>(work: () => Promise<T>) => Promise<T | undefined>

function local() {
  const entries = new LRUCache<string, string>({
    max: MAX_ENTRIES,
    maxSize: MAX_LENGTH,
    sizeCalculation: (value, key) => value.length + key.length
  })
  const store = {
    get: (key: string) => entries.get(key),
    // Without the time that keyv hands on: it stands in the value too, and lru-cache takes an object there.
    set: (key: string, value: string) => void entries.set(key, value),
    delete: (key: string) => entries.delete(key),
    clear: () => entries.clear()
  }
  const run: Run = (work) => work()
  return { keyv: new Keyv({ store, useKeyPrefix: false }), run, close: async () => {} }
}

function remote(url: string, log: Pick<FastifyBaseLogger, 'warn' | 'info'>) {
  const redis = createRedis({ url, log })
  const { default: KeyvRedis }: typeof import('@keyv/redis') = require('@keyv/redis')
  const keyv = new Keyv({ store: new KeyvRedis(redis.client as never), useKeyPrefix: false })
  // Logged once for each outage by the connection itself.
  keyv.on('error', () => {})
  const run: Run = (work) => redis.use(WAIT_MS, work).catch(() => undefined)
  return { keyv, run, close: redis.close }
}
