import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { createListeners } from '../events/listeners.ts'
import { enter, findDead } from './instance.ts'
import type { Session } from './session.ts'
import { openSession } from './session.ts'

/** This process among the instances of the platform, and what it hears from the database. */
export interface Presence {
  /** Of this instance; undefined before the first connection. Another one after it was taken for dead. */
  id(): number | undefined
  /** False while notifications may be missed. */
  readonly connected: boolean
  /** Hears the notifications of a channel; while connected, from one round trip after the call. */
  listen(channel: string, hear: (payload: string) => void): Disposable
  onChange(hear: (connected: boolean) => void): Disposable
  /** Resolves when first connected; rejects only when closed before. The migrations must have run. `url` is published to the other instances. */
  start(url?: string): Promise<void>
  /** Shows the others that this instance takes nothing new. */
  drain(): Promise<void>
  /** Frees the lock and deletes the row. */
  close(): Promise<void>
  /** Instances that are gone: killed, cut off, or without a heartbeat for 45 s. Empty while disconnected. */
  dead(): Promise<number[]>
}

interface PresenceOptions {
  readonly connection: pg.ClientConfig
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  /** Shown to operators. */
  readonly version?: string
}

/** Between two questions to the server whether it is there. */
const beatMs = 500
/** So many of them, and the instance shows that it is there itself. */
const beatsToShow = 30

export function createPresence({ connection, log, version = '' }: PresenceOptions): Presence {
  const channels = createListeners<string>(log)
  const changes = createListeners<boolean>(log)
  let id: number | undefined
  let url: string | undefined
  let draining = false
  let session: Session | undefined
  let running: Promise<void> | undefined
  let finding: Promise<number[]> | undefined
  const first = Promise.withResolvers<void>()
  first.promise.catch(() => undefined)
  const closing = new AbortController()
  const closed = new Promise<void>((resolve) => closing.signal.addEventListener('abort', () => resolve()))

  async function keep() {
    for (let failures = 0; !closing.signal.aborted; failures++) {
      try {
        const opened = await openSession(connection, channels.emit)
        try {
          await stay(opened)
          failures = 0
        } finally {
          await opened.end()
        }
      } catch (error) {
        if (failures === 0) log.warn({ reason: String(error) }, 'The database cannot be listened to')
      }
      await Promise.race([delay(Math.min(1000, 25 * 2 ** failures), undefined, { ref: false }), closed])
    }
  }

  async function stay(opened: Session) {
    id = await enter(opened, { id, host: hostname(), pid: process.pid, version, draining, url })
    for (const channel of channels.topics()) await opened.query(listenTo(channel))
    session = opened
    log.info({ instance: id }, 'Listening to the database')
    first.resolve()
    changes.emit('change', true)
    beat(opened).catch(() => opened.destroy())
    await Promise.race([opened.ended, closed])
    session = undefined
    changes.emit('change', false)
    if (!closing.signal.aborted) return log.warn('The listening connection was lost')
    // Best effort: the others would declare it dead anyway.
    await opened.query('delete from kernel.instance where id = $1', [id]).catch(() => undefined)
  }

  /** Asks the server again and again whether it is there; in between, shows that this instance is. */
  async function beat(opened: Session) {
    for (let beats = 1; opened === session; beats++) {
      const alive = beats % beatsToShow ? opened.query('select 1') : opened.query(showAlive, [id])
      // Declared dead by another: what this instance held may be with others by now.
      if ((await alive).length === 0) opened.destroy()
      await delay(beatMs, undefined, { ref: false })
    }
  }

  return {
    id: () => id,
    get connected() {
      return session !== undefined
    },
    listen(channel, hear) {
      const asked = channels.topics().includes(channel) ? undefined : session
      // A failure ends the session, and the next one listens to every channel.
      asked?.query(listenTo(channel)).catch(asked.destroy)
      return channels.on(channel, hear)
    },
    onChange: (hear) => changes.on('change', hear),
    start(at) {
      url ??= at
      running ??= keep()
      return first.promise
    },
    async drain() {
      draining = true
      await session
        ?.query('update kernel.instance set draining = true where id = $1', [id])
        .catch(() => undefined)
    },
    async close() {
      closing.abort()
      first.reject(new Error('Closed before the database could be reached'))
      await running
    },
    dead() {
      if (!session || id === undefined) return Promise.resolve([])
      // Callers that ask while it is being found out get the same answer.
      finding ??= findDead(session, id).finally(() => {
        finding = undefined
      })
      return finding
    }
  }
}

const showAlive = `update kernel.instance set "heartbeatAt" = now() where id = $1 and "deadAt" is null returning id`
const listenTo = (channel: string) => `listen ${pg.escapeIdentifier(channel)}`
