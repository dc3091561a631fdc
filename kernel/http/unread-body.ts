import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** What may still come of a body behind the reply, on a connection that then goes on, and how long it may take. */
const REST_BYTES = 65_536
const REST_MS = 9_000
/** The same where the connection ends: the caller is given time to read why. */
const LINGER_BYTES = 16_777_216
const LINGER_MS = 2_000
const LOOK_MS = 50

/**
 * A reply may stand before the body of its request was read: 401, 404, 503, a GET. Where more is announced than is
 * worth reading for nothing, that reply is the last on its connection.
 */
export function boundUnread(request: IncomingMessage, response: ServerResponse): void {
  const { 'content-length': length = 0, 'transfer-encoding': coding } = request.headers
  if (coding === undefined && Number(length) <= REST_BYTES) return
  const { writeHead } = response
  response.writeHead = (...head: unknown[]) => {
    if (!request.complete) {
      response.setHeader('connection', 'close')
      if (request.socket) lingerBeforeClose(request.socket)
    }
    return writeHead.apply(response, head as never)
  }
}

/** Behind the reply: what is left of the body arrives soon, or the connection is cut. */
export function cutUnread(request: IncomingMessage): void {
  // A connection that is no socket leaves none behind when it breaks off.
  const { socket }: { socket: Socket | null } = request
  if (request.complete || !socket || socket.destroyed) return
  const timer = setTimeout(() => {
    if (!request.complete) socket.destroy()
  }, REST_MS)
  socket.once('close', () => clearTimeout(timer))
}

/** Closed at once, a connection on which something still arrives is reset, and the reply may be lost with it. */
function lingerBeforeClose(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end()
    const { bytesRead } = socket
    const end = performance.now() + LINGER_MS
    const looking = setInterval(() => {
      if (performance.now() > end || socket.bytesRead - bytesRead > LINGER_BYTES) socket.destroy()
    }, LOOK_MS)
    socket.once('end', () => socket.destroy())
    socket.once('close', () => clearInterval(looking))
  }
}
