import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { ended, readLock, stopServer } from './postmaster.ts'
import type { Presence } from './presence.ts'

interface Place {
  readonly where: string
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  readonly first: Presence
  /** Takes a place at the server, starting it where it does not run. */
  readonly start: () => Promise<Presence>
}

/**
 * Holds a place at the server and takes a new one whenever it is lost, until `leave`. The end of the connection
 * tells, at once and without a timer, whether the server was killed or only the session.
 */
export function keepPlace({ where, log, first, start }: Place): { leave(): Promise<void> } {
  let presence: Presence | undefined
  let recovery = Promise.resolve()
  let left: Promise<void> | undefined
  const giveUp = new AbortController()

  function hold(place: Presence) {
    presence = place
    place.lost.then(() => {
      presence = undefined
      if (!left) recovery = recover()
    })
  }

  async function recover() {
    log.warn({ where }, 'embedded PostgreSQL is gone: starting it again')
    for (let pause = 250; !left; pause = Math.min(pause * 2, 5000)) {
      try {
        hold(await start())
        return log.info({ where }, 'embedded PostgreSQL runs again')
      } catch (err) {
        log.error({ err, where }, 'embedded PostgreSQL does not start')
        await sleep(pause, undefined, { ref: false, signal: giveUp.signal }).catch(() => undefined)
      }
    }
  }

  async function leaveOnce() {
    giveUp.abort()
    await recovery
    let stopped = true
    await presence?.leave(async () => {
      const lock = readLock(where)
      if (lock) stopped = await stopServer(lock.pid, where)
    })
    // Another one who left at the same time may be the one who stops it.
    const lock = readLock(where)
    if (stopped && lock?.status === 'stopping') stopped = await ended(lock.pid, where)
    if (!stopped) log.warn({ where }, 'embedded PostgreSQL does not stop')
  }

  hold(first)
  return {
    leave: () => {
      left ??= leaveOnce()
      return left
    }
  }
}
