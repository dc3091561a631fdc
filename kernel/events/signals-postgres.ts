import type { Knex } from 'knex'
import type { Presence } from '../data/presence.ts'
import type { Transport } from './signals-transport.ts'

const channel = 'platform_signal'

interface Options {
  readonly presence: Pick<Presence, 'connected' | 'listen' | 'onChange'>
  readonly knex: Knex
  readonly hear: (payload: string) => void
}

/** Over LISTEN/NOTIFY: heard on the connection of this instance's presence, sent through the pool. */
export function createPostgresTransport({ presence, knex, hear }: Options): Transport {
  const listening = presence.listen(channel, hear)
  return {
    get connected() {
      return presence.connected
    },
    onChange: presence.onChange,
    async publish(payloads) {
      await knex.raw('select pg_notify(?, payload) from unnest(?::text[]) payload', [channel, [...payloads]])
    },
    async close() {
      listening[Symbol.dispose]()
    }
  }
}
