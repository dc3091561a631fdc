import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import type { Hearers } from './hearers.ts'
import { createHearers } from './hearers.ts'
import { drain, enter, findDead, heartbeat, leave } from './instance.ts'
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
  /** Resolves when first connected; rejects only when closed before. The migrations must have run. */
  start(): Promise<void>
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
  /** Milliseconds between two questions to the server. */
  readonly beatMs?: number
  /** Milliseconds that the server may take to answer. */
  readonly timeoutMs?: number
}

const heartbeatMs = 15_000

export function createPresence(options: PresenceOptions): Presence {
  const { connection, log, version = '', beatMs = 500, timeoutMs = 1000 } = options
  const channels = new Map<string, Hearers<string>>()
  const changes = createHearers<boolean>('the database connection', log)
  const self = {
    id: undefined as number | undefined,
    host: hostname(),
    pid: process.pid,
    version,
    draining: false
  }
  const first = Promise.withResolvers<void>()
  first.promise.catch(() => undefined)
  const closing = new AbortController()
  const closed = new Promise<void>((resolve) => closing.signal.addEventListener('abort', () => resolve()))
  let session: Session | undefined
  let running: Promise<void> | undefined

  async function open(): Promise<Session> {
    const hear = (channel: string, payload: string) => channels.get(channel)?.tell(payload)
    const opened = await openSession({ connection, timeoutMs, hear })
    try {
      self.id = await enter(opened, self)
      for (const channel of channels.keys()) await opened.query(listenTo(channel))
      session = opened
      return opened
    } catch (error) {
      await opened.end()
      throw error
    }
  }

  async function stay(opened: Session) {
    log.info({ instance: self.id }, 'Listening to the database')
    first.resolve()
    changes.tell(true)
    const beat = startBeat(opened, () => self.id, beatMs)
    try {
      await Promise.race([opened.ended, closed])
    } finally {
      clearInterval(beat)
      session = undefined
      changes.tell(false)
    }
    if (!closing.signal.aborted) return log.warn('The listening connection was lost')
    await leave(opened, self.id)
    await opened.end()
  }

  async function keep() {
    for (let failures = 0; !closing.signal.aborted; failures++) {
      try {
        await stay(await open())
        failures = 0
      } catch (error) {
        if (failures === 0) log.warn({ reason: String(error) }, 'The database cannot be listened to')
      }
      await Promise.race([delay(Math.min(1000, 25 * 2 ** failures), undefined, { ref: false }), closed])
    }
  }

  return {
    id: () => self.id,
    get connected() {
      return session !== undefined
    },
    listen(channel, hear) {
      const known = channels.get(channel)
      const hearers = known ?? createHearers<string>(`the channel ${channel}`, log)
      if (!known) {
        channels.set(channel, hearers)
        // A failure ends the session, and the next one listens to every channel.
        const asked = session
        asked?.query(listenTo(channel)).catch(() => asked.destroy())
      }
      return hearers.add(hear)
    },
    onChange: changes.add,
    start() {
      running ??= keep()
      return first.promise
    },
    async drain() {
      self.draining = true
      if (session) await drain(session, self.id).catch(() => undefined)
    },
    async close() {
      closing.abort()
      first.reject(new Error('Closed before the database could be reached'))
      await running
    },
    dead: async () => (session && self.id !== undefined ? findDead(session, self.id) : [])
  }
}

const listenTo = (channel: string) => `listen ${pg.escapeIdentifier(channel)}`

/** Asks the server again and again whether it is there; in between, shows that this instance is. */
function startBeat(session: Session, id: () => number | undefined, beatMs: number): NodeJS.Timeout {
  let asked = false
  let shownAt = performance.now()
  const beat = async () => {
    const due = performance.now() - shownAt >= heartbeatMs
    if (due) shownAt = performance.now()
    // Declared dead by another: what this instance held may be with others by now.
    if (!(await heartbeat(session, due ? id() : undefined))) session.destroy()
  }
  const timer = setInterval(() => {
    if (asked) return
    asked = true
    beat().then(
      () => {
        asked = false
      },
      () => session.destroy()
    )
  }, beatMs)
  return timer.unref()
}
