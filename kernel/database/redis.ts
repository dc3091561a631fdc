import { createRequire } from 'node:module'
import type { FastifyBaseLogger } from 'fastify'
import { within } from './deadline.ts'

/** A connection to Redis that comes back by itself and notices a silent server. */
export type Redis = ReturnType<typeof createRedis>

const require = createRequire(import.meta.url)
const BEAT_MS = 500
const TIMEOUT_MS = 1_000

export function createRedis({ url, log }: { url: string; log: Pick<FastifyBaseLogger, 'warn' | 'info'> }) {
  // 400 modules, of which a start without Redis needs none.
  const { createClient }: typeof import('@redis/client') = require('@redis/client')
  const client = createClient({
    url,
    disableOfflineQueue: true,
    pingInterval: BEAT_MS,
    socket: {
      connectTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      reconnectStrategy: (retries) => Math.min(1_000, 25 * 2 ** retries)
    }
  })
  /** The first attempt has ended, well or badly; from then on commands are refused at once while Redis is away. */
  const tried = Promise.withResolvers<void>()
  let away = false
  let closed = false
  client.on('ready', () => {
    tried.resolve()
    if (away) log.info('Redis is back')
    away = false
  })
  client.on('error', (error: Error & { code?: string }) => {
    tried.resolve()
    if (!away) log.warn({ reason: error.code ?? error.name }, 'Redis is away')
    away = true
  })
  client.connect().catch(() => undefined)
  return {
    client,
    /** Runs commands. Rejects while Redis is away, at the latest after `ms`. */
    async use<T>(ms: number, work: () => Promise<T>): Promise<T> {
      // keyv would open the connection again.
      if (closed) throw new Error('The connection to Redis is closed')
      return within(ms, tried.promise.then(work))
    },
    async close(): Promise<void> {
      closed = true
      // A connection that is given up before it stands would stand after all.
      await within(2 * TIMEOUT_MS, tried.promise).catch(() => undefined)
      if (client.isOpen) client.destroy()
    }
  }
}
