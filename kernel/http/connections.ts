import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as delay, setImmediate as round } from 'node:timers/promises'

/** A connection that looks idle is heard for this long: a request may be on its way. */
const LULL_MS = 1_000
/** Replies that were begun before may put that off, up to here. */
const LULLS_MS = 3_000
const ACCEPT_MS = 2_000

/** The open connections of the server, and how they are left without a request that is lost. */
export function createConnections(server: Server) {
  /** With the latest response of each. */
  const open = new Map<Duplex, ServerResponse | undefined>()
  let accepted = 0
  let leaving = false
  let gone: Promise<void> = Promise.resolve()
  server.on('connection', (socket) => {
    accepted++
    open.set(socket, undefined)
    socket.once('close', () => open.delete(socket))
  })

  /**
   * A connection that waits to be accepted is reset when the port is closed, and libuv accepts one a round of its loop,
   * which under load may leave dozens waiting.
   */
  async function acceptRest(): Promise<void> {
    const end = performance.now() + ACCEPT_MS
    let before: number
    await round()
    do {
      before = accepted
      await round()
    } while (accepted !== before && performance.now() < end)
  }

  return {
    answering: (socket: Duplex) => open.get(socket),
    answer(socket: Duplex, response: ServerResponse): void {
      if (leaving) {
        // Where requests follow each other without waiting, the last reply is the one behind which it ends.
        const before = open.get(socket)
        if (before && !before.headersSent) before.removeHeader('connection')
        response.setHeader('connection', 'close')
      }
      open.set(socket, response)
    },

    /**
     * Takes no more connections, and lets each that is open send once more: the reply says that it is the last.
     * Resolves when no connection seems about to send any more; what is being answered still is.
     */
    async leave(): Promise<void> {
      await acceptRest()
      // The server's own `close` would end at once what looks idle.
      gone = new Promise((resolve) => NetServer.prototype.close.call(server, () => resolve()))
      // A client that read so, and connects again, finds the port closed.
      leaving = true
      const begun = performance.now()
      let end = begun + LULL_MS
      let isOver = false
      const over = gone.then(() => {
        isOver = true
      })
      for (const response of open.values()) {
        if (!response || response.writableFinished || response.destroyed) continue
        if (!response.headersSent) response.setHeader('connection', 'close')
        else
          response.once('close', () => {
            end = Math.min(performance.now() + LULL_MS, begun + LULLS_MS)
          })
      }
      for (let left = LULL_MS; left > 0 && !isOver; left = end - performance.now())
        await Promise.race([over, delay(left, undefined, { ref: false })])
      // Closed with bytes that were not read, a connection is reset: what arrived while this process was busy is
      // read first, and is a request then.
      await round()
      server.close()
    },

    /** Lets replies that have just ended arrive, then cuts what is left. */
    async close(): Promise<void> {
      await Promise.race([gone, delay(LULL_MS, undefined, { ref: false })])
      server.closeAllConnections()
      await gone
    }
  }
}
