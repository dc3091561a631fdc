import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

// RFC 6455, as far as a server needs it that sends text and is sent nothing.

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
/** Of all that a client sends before the end of a frame. */
const MOST = 65_536
const codes = { text: 1, close: 8, ping: 9, pong: 10 } as const

/** Why a socket is closed: https://www.rfc-editor.org/rfc/rfc6455#section-7.4 */
export const closeCodes = {
  normal: 1000,
  goingAway: 1001,
  protocol: 1002,
  policy: 1008,
  tooBig: 1009
} as const

export interface WebSocket {
  /** Aborted when the client has gone, or was closed. */
  readonly left: AbortSignal
  /** Resolves when there is room for more. */
  send(text: string): Promise<void>
  ping(): void
  close(code: number, reason?: string): void
}

/** Whether it asks for a WebSocket of the version that there is. */
export const asksForWebSocket = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket' &&
  headers['sec-websocket-version'] === '13' &&
  /^[A-Za-z0-9+/]{22}==$/.test(headers['sec-websocket-key'] ?? '')

/** Answers the upgrade. */
export function openWebSocket(
  { headers }: Pick<IncomingMessage, 'headers'>,
  socket: Duplex,
  head: Buffer
): WebSocket {
  const accept = createHash('sha1').update(`${headers['sec-websocket-key']}${GUID}`).digest('base64')
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`
  )
  const left = new AbortController()
  let received = Buffer.alloc(0)

  function close(code: number, reason = ''): void {
    if (left.signal.aborted) return
    const body = Buffer.alloc(2 + Buffer.byteLength(reason))
    body.writeUInt16BE(code)
    body.write(reason, 2)
    socket.end(frameOf(codes.close, body))
    left.abort()
  }

  /** Takes whole frames out of what was received. Returns why the socket is to be closed, if so. */
  function take(): number | undefined {
    while (received.length >= 2 && !left.signal.aborted) {
      const [first = 0, second = 0] = received
      const length = second & 127
      // What is sent here is small: control frames, and text that nobody reads.
      if (length === 127) return closeCodes.tooBig
      if ((second & 128) === 0 || (first & 0x70) !== 0) return closeCodes.protocol
      const start = length === 126 ? 8 : 6
      if (received.length < start) return undefined
      const size = length === 126 ? received.readUInt16BE(2) : length
      if (received.length < start + size) return undefined
      const mask = received.subarray(start - 4, start)
      const body = received
        .subarray(start, start + size)
        .map((byte, index) => byte ^ (mask[index & 3] as number))
      received = received.subarray(start + size)
      const code = first & 15
      if (code === codes.close) return closeCodes.normal
      if (code === codes.ping && size < 126) socket.write(frameOf(codes.pong, Buffer.from(body)))
    }
    return undefined
  }

  function receive(data: Buffer): void {
    received = Buffer.concat([received, data])
    const code = received.length > MOST + 14 ? closeCodes.tooBig : take()
    if (code !== undefined) close(code)
  }

  socket.on('data', receive)
  for (const event of ['close', 'end', 'error']) socket.once(event, () => left.abort())
  receive(head)

  return {
    left: left.signal,
    async send(text) {
      if (left.signal.aborted || socket.write(frameOf(codes.text, Buffer.from(text)))) return
      await once(socket, 'drain', { signal: left.signal }).catch(() => undefined)
    },
    ping: () =>
      void (
        left.signal.aborted ||
        socket.writableNeedDrain ||
        socket.write(frameOf(codes.ping, Buffer.alloc(0)))
      ),
    close
  }
}

function frameOf(code: number, body: Buffer): Buffer {
  const { length } = body
  const head = length < 126 ? Buffer.alloc(2) : Buffer.alloc(length < 65_536 ? 4 : 10)
  head[0] = 0x80 | code
  head[1] = length < 126 ? length : length < 65_536 ? 126 : 127
  if (head.length === 4) head.writeUInt16BE(length, 2)
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([head, body])
}
