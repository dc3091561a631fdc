import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Knex } from 'knex'
import type { Presence } from '../database/presence.ts'
import { createListeners } from './listeners.ts'
import type { Log } from './signals-transports.ts'
import { overPostgres, overRedis } from './signals-transports.ts'

/** Lossy wake-ups to every instance, this one included; never the only copy of anything. */
export interface Signals {
  /** Listeners here are called before it returns, those of other instances soon. Throws when over 7.5 kB. */
  send(topic: string, data?: unknown): void
  on(topic: string, hear: (data: unknown) => void): Disposable
  /** False while signals of others may be missed: what is kept in memory must not be trusted then. */
  readonly connected: boolean
  onChange(hear: (connected: boolean) => void): Disposable
  /** Sends what is still waiting. */
  close(): Promise<void>
}

interface SignalsOptions {
  readonly presence: Presence
  readonly knex: Knex
  readonly redisUrl?: string
  readonly log: Log
}

/** PostgreSQL refuses payloads of 8,000 bytes. */
const payloadBytes = 7_900
const signalBytes = 7_500
const attempts = 5

/** To be made before the presence starts, so that it hears from the first moment. */
export function createSignals({ presence, knex, redisUrl, log }: SignalsOptions): Signals {
  const sender = randomUUID()
  const listeners = createListeners<unknown>(log)
  const transport = redisUrl ? overRedis(redisUrl, log, hear) : overPostgres(presence, knex, hear)
  let waiting: string[] = []
  let sending: Promise<void> | undefined

  /** A payload is the sender, then signals; echoes of this instance's own were heard when they were sent. */
  function hear(payload: string) {
    let parts: unknown
    try {
      parts = JSON.parse(payload)
    } catch {
      return log.warn('A signal of unknown form was dropped')
    }
    if (!Array.isArray(parts) || parts[0] === sender) return
    for (const part of parts.slice(1)) if (Array.isArray(part)) listeners.emit(String(part[0]), part[1])
  }

  async function flush() {
    await new Promise(setImmediate)
    while (waiting.length > 0) {
      const payloads = pack(sender, waiting)
      waiting = []
      await publish(payloads)
    }
    sending = undefined
  }

  async function publish(payloads: readonly string[]) {
    for (let attempt = 1; ; attempt++) {
      try {
        return await transport.publish(payloads)
      } catch {
        if (attempt === attempts) return log.warn('Signals to other instances were lost')
        await delay(50 * 2 ** attempt)
      }
    }
  }

  return {
    send(topic, data) {
      const signal = JSON.stringify(data === undefined ? [topic] : [topic, data])
      if (Buffer.byteLength(signal) > signalBytes)
        throw new RangeError(`A signal carries ids only: ${topic} is over ${signalBytes} bytes`)
      waiting.push(signal)
      sending ??= flush()
      listeners.emit(topic, data)
    },
    on: listeners.on,
    get connected() {
      return transport.connected
    },
    onChange: transport.onChange,
    async close() {
      await sending
      await transport.close()
    }
  }
}

/** As few payloads as hold all signals. */
function pack(sender: string, signals: readonly string[]): string[] {
  const payloads: string[] = []
  let payload = ''
  for (const signal of signals) {
    if (payload && Buffer.byteLength(payload) + Buffer.byteLength(signal) + 2 > payloadBytes) {
      payloads.push(`${payload}]`)
      payload = ''
    }
    payload = `${payload || JSON.stringify([sender]).slice(0, -1)},${signal}`
  }
  return [...payloads, `${payload}]`]
}
