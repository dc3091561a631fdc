import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Knex } from 'knex'
import type { Hearers } from '../data/hearers.ts'
import { createHearers } from '../data/hearers.ts'
import type { Presence } from '../data/presence.ts'
import { createPostgresTransport } from './signals-postgres.ts'
import { createRedisTransport } from './signals-redis.ts'

/** Lossy wake-ups to every instance, this one included; never the only copy of anything. */
export interface Signals {
  /** Hearers here are called before it returns, those of other instances soon. Throws when over 7.5 kB. */
  send(topic: string, data?: unknown): void
  on(topic: string, hear: (data: unknown) => void): Disposable
  /** False while signals of others may be missed: what is kept in memory must not be trusted then. */
  readonly connected: boolean
  onChange(hear: (connected: boolean) => void): Disposable
  /** Sends what is still waiting. */
  close(): Promise<void>
}

interface SignalsOptions {
  readonly presence: Pick<Presence, 'connected' | 'listen' | 'onChange'>
  readonly knex: Knex
  readonly redisUrl?: string
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
}

/** PostgreSQL refuses payloads of 8,000 bytes. */
const payloadBytes = 7_900
const signalBytes = 7_500
const attempts = 5
/** More than this is not kept for another attempt. */
const waitingAtMost = 10_000

/** To be made before the presence starts, so that it hears from the first moment. */
export function createSignals({ presence, knex, redisUrl, log }: SignalsOptions): Signals {
  const sender = randomUUID()
  const topics = new Map<string, Hearers<unknown>>()
  let waiting: string[] = []
  let sending: Promise<void> | undefined

  const tell = (signal: string) => {
    const [topic, data] = JSON.parse(signal) as [string, unknown?]
    topics.get(topic)?.tell(data)
  }

  /** A payload is the sender, then signals; echoes of this instance's own were heard when they were sent. */
  function hear(payload: string) {
    let parts: unknown
    try {
      parts = JSON.parse(payload)
    } catch {
      return log.warn('A signal of unknown form was dropped')
    }
    if (!Array.isArray(parts) || parts[0] === sender) return
    for (const part of parts.slice(1)) {
      if (Array.isArray(part)) topics.get(String(part[0]))?.tell(part[1])
    }
  }

  const transport = redisUrl
    ? createRedisTransport({ url: redisUrl, log, hear })
    : createPostgresTransport({ presence, knex, hear })

  async function flush() {
    await new Promise(setImmediate)
    for (let failures = 0; waiting.length > 0; ) {
      const taken = waiting
      waiting = []
      try {
        await transport.publish(pack(sender, taken))
        failures = 0
      } catch (error) {
        if (++failures === attempts || taken.length + waiting.length > waitingAtMost) {
          waiting = []
          log.warn({ reason: nameOf(error) }, 'Signals to other instances were lost')
        } else {
          waiting = [...taken, ...waiting]
          await delay(50 * 2 ** failures)
        }
      }
    }
    sending = undefined
  }

  return {
    send(topic, data) {
      const signal = JSON.stringify(data === undefined ? [topic] : [topic, data])
      if (Buffer.byteLength(signal) > signalBytes)
        throw new RangeError(`A signal carries ids only: ${topic} is over ${signalBytes} bytes`)
      waiting.push(signal)
      sending ??= flush()
      tell(signal)
    },
    on(topic, hearer) {
      const hearers = topics.get(topic) ?? createHearers<unknown>(`the signal ${topic}`, log)
      topics.set(topic, hearers)
      const heard = hearers.add(hearer)
      return {
        [Symbol.dispose]() {
          heard[Symbol.dispose]()
          if (hearers.size === 0 && topics.get(topic) === hearers) topics.delete(topic)
        }
      }
    },
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
  const head = `["${sender}"`
  const payloads: string[] = []
  let body = ''
  let bytes = head.length + 1
  for (const signal of signals) {
    const size = Buffer.byteLength(signal) + 1
    if (body !== '' && bytes + size > payloadBytes) {
      payloads.push(`${head}${body}]`)
      body = ''
      bytes = head.length + 1
    }
    body += `,${signal}`
    bytes += size
  }
  payloads.push(`${head}${body}]`)
  return payloads
}

const nameOf = (error: unknown) =>
  error instanceof Error ? String((error as { code?: unknown }).code ?? error.name) : 'unknown'
