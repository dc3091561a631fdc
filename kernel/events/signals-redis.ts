import { createClient } from '@redis/client'
import type { FastifyBaseLogger } from 'fastify'
import { within } from '../data/deadline.ts'
import { createHearers } from '../data/hearers.ts'
import type { Transport } from './signals-transport.ts'

const channel = 'platform_signal'
const beatMs = 500
const timeoutMs = 1000

interface Options {
  readonly url: string
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  readonly hear: (payload: string) => void
}

/** Over Redis pub/sub, on two connections that come back by themselves and notice a silent server. */
export function createRedisTransport({ url, log, hear }: Options): Transport {
  const changes = createHearers<boolean>('the Redis connection', log)
  let connected = false
  let closed = false

  function become(now: boolean) {
    if (connected === now) return
    connected = now
    if (now) log.info('Signals go over Redis')
    else if (!closed) log.warn('Signals are away: Redis does not answer')
    changes.tell(now)
  }

  const connect = () => {
    const client = createClient({
      url,
      disableOfflineQueue: true,
      pingInterval: beatMs,
      socket: {
        connectTimeout: timeoutMs,
        socketTimeout: timeoutMs,
        reconnectStrategy: (retries) => !closed && Math.min(1000, 25 * 2 ** retries)
      }
    })
    // Each fault is followed by another attempt; what matters of it is `connected`.
    client.on('error', () => undefined)
    return client
  }

  const publisher = connect()
  const subscriber = connect()
  let subscribed = false
  subscriber.on('ready', () => become(subscribed))
  for (const event of ['error', 'reconnecting', 'end']) subscriber.on(event, () => become(false))

  async function subscribe() {
    await subscriber.connect()
    await within(timeoutMs, subscriber.subscribe(channel, hear))
    // From here on the client subscribes again by itself before it is ready.
    subscribed = true
    become(subscriber.isReady)
  }
  /** The very first subscription can be cut off too. */
  async function keepSubscribing() {
    while (!closed && !subscribed) await subscribe().catch(() => destroy(subscriber))
  }
  publisher.connect().catch(() => undefined)
  void keepSubscribing()

  return {
    get connected() {
      return connected
    },
    onChange: changes.add,
    async publish(payloads) {
      await within(timeoutMs, Promise.all(payloads.map((payload) => publisher.publish(channel, payload))))
    },
    async close() {
      closed = true
      destroy(publisher)
      destroy(subscriber)
      become(false)
    }
  }
}

function destroy(client: { readonly isOpen: boolean; destroy(): void }) {
  if (client.isOpen) client.destroy()
}
