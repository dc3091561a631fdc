import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket as Client } from 'ws'
import { WebSocketServer } from 'ws'

/** Clients send nothing but control frames and text that nobody reads. */
const MOST = 65_536
const server = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  maxPayload: MOST,
  perMessageDeflate: false
})

/** Why a socket is closed: https://www.rfc-editor.org/rfc/rfc6455#section-7.4 */
export const closeCodes = { normal: 1000, goingAway: 1001, policy: 1008 } as const

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

/** Answers the upgrade. Never resolves where the client has gone meanwhile. */
export async function openWebSocket(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer
): Promise<WebSocket> {
  const client = await new Promise<Client>((resolve) => server.handleUpgrade(request, socket, head, resolve))
  const left = new AbortController()
  client.once('close', () => left.abort())
  // `close` follows.
  client.on('error', () => undefined)
  return {
    left: left.signal,
    send: (text) => new Promise((resolve) => client.send(text, () => resolve())),
    ping() {
      if (client.readyState === client.OPEN && client.bufferedAmount === 0) client.ping()
    },
    close(code, reason) {
      left.abort()
      client.close(code, reason)
    }
  }
}
