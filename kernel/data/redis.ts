import { createClient } from '@redis/client'
import type { FastifyBaseLogger } from 'fastify'
import { DeadlineExceeded, within } from './deadline.ts'

/** A connection to Redis that is opened, and opened again, by those who use it; it keeps no process alive. */
export interface Redis {
  readonly client: ReturnType<typeof openClient>
  /** Runs commands on a ready connection. Rejects while Redis is away, at the latest after `ms`. */
  use<T>(ms: number, work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

const CONNECT_MS = 1_000
/** A connection on which so many answers in a row are late is given up. */
const LATE = 3

const openClient = (url: string) =>
  createClient({
    url,
    disableOfflineQueue: true,
    // Its own strategy waits with timers that keep the process alive.
    socket: { connectTimeout: CONNECT_MS, reconnectStrategy: false }
  })

export function createRedis({
  url,
  log
}: {
  url: string
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>
}): Redis {
  if (!URL.canParse(url)) throw new Error('The address of Redis is not a URL')
  const client = openClient(url)
  client.unref()
  let connecting: Promise<unknown> | undefined
  let startedAt = 0
  let failures = 0
  let late = 0
  let away = false
  let closed = false

  client.on('ready', () => {
    if (away) log.info('Redis is back')
    away = false
  })
  client.on('error', (error: Error & { code?: string }) => {
    if (!away && !closed) log.warn({ reason: error.code ?? error.name }, 'Redis is away')
    away = true
  })

  function connect(): Promise<unknown> {
    startedAt = performance.now()
    late = 0
    return client
      .connect()
      .then(
        () => {
          failures = 0
        },
        (error: unknown) => {
          failures++
          throw error
        }
      )
      .finally(() => {
        connecting = undefined
      })
  }

  async function ready(ms: number): Promise<void> {
    if (client.isReady) return
    const sinceStart = performance.now() - startedAt
    if (connecting) {
      // Whoever comes late to an attempt that hangs does not wait for it as well.
      if (sinceStart > ms) {
        if (sinceStart > 2 * CONNECT_MS) giveUp()
        throw new Error('Redis does not answer')
      }
    } else if (closed || (failures > 0 && sinceStart < Math.min(2_000, 100 * 2 ** failures))) {
      throw new Error('Redis is away')
    }
    connecting ??= connect()
    await connecting
  }

  function giveUp() {
    if (client.isOpen) client.destroy()
  }

  return {
    client,
    async use(ms, work) {
      try {
        const result = await within(
          ms,
          ready(ms).then(() => work())
        )
        late = 0
        return result
      } catch (error) {
        if (error instanceof DeadlineExceeded && ++late >= LATE && !connecting) giveUp()
        throw error
      }
    },
    async close() {
      closed = true
      // A connection that is given up before it stands would stand after all; one that hangs later does not.
      if (connecting) await within(CONNECT_MS, connecting).catch(() => {})
      giveUp()
    }
  }
}
