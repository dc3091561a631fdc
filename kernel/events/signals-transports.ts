import type { FastifyBaseLogger } from 'fastify'
import type { Knex } from 'knex'
import type { Presence } from '../database/presence.ts'
import { createRedis } from '../database/redis.ts'
import { createListeners } from './listeners.ts'

export type Log = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
type Hear = (payload: string) => void

const channel = 'platform_signal'
const timeoutMs = 1_000

// A transport carries payloads to every instance that is connected. While it is `connected` it hears everything that
// others publish; `publish` rejects when the payloads could not be handed over.

/** Over LISTEN/NOTIFY: heard on the connection of this instance's presence, sent through the pool. */
export function overPostgres(presence: Presence, knex: Knex, hear: Hear) {
  const listening = presence.listen(channel, hear)
  return {
    get connected() {
      return presence.connected
    },
    onChange: presence.onChange,
    publish: async (payloads: readonly string[]) =>
      knex.raw('select pg_notify(?, payload) from unnest(?::text[]) payload', [channel, [...payloads]]),
    close: async () => listening[Symbol.dispose]()
  }
}

/** Channels are those of the whole server: what shares it uses another of its databases. */
export const channelOf = (url: string): string => `${channel}:${new URL(url).pathname.slice(1) || 0}`

/** Over Redis, which wants a connection of its own for subscribers. */
export function overRedis(url: string, log: Log, hear: Hear) {
  const channel = channelOf(url)
  const [publisher, subscriber] = [createRedis({ url, log }), createRedis({ url, log })]
  const changes = createListeners<boolean>(log)
  let connected = false
  const become = (now: boolean) => {
    if (connected === now) return
    connected = now
    changes.emit('change', now)
  }
  const { client } = subscriber
  client.on('ready', () =>
    subscriber
      .use(timeoutMs, async () => client.subscribe(channel, hear))
      .then(
        () => become(client.isReady),
        () => become(false)
      )
  )
  for (const event of ['error', 'reconnecting', 'end']) client.on(event, () => become(false))
  return {
    get connected() {
      return connected
    },
    onChange: (hear: (connected: boolean) => void) => changes.on('change', hear),
    publish: (payloads: readonly string[]) =>
      publisher.use(timeoutMs, () =>
        Promise.all(payloads.map((payload) => publisher.client.publish(channel, payload)))
      ),
    async close() {
      await Promise.all([publisher.close(), subscriber.close()])
      become(false)
    }
  }
}
