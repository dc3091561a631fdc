import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { failureTypes } from 'agent-platform'
import type { WebSocket } from 'ws'
import { WebSocketServer } from 'ws'

/** Of one message: what a person pastes comes in several. */
const MOST = 65_536
const server = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  maxPayload: MOST,
  perMessageDeflate: false
})

/** Why a socket is closed: https://www.rfc-editor.org/rfc/rfc6455#section-7.4 */
export const closeCodes = { normal: 1000, goingAway: 1001, policy: 1008 } as const

/** Whether it asks for a WebSocket of the version that there is. */
export const asksForWebSocket = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket' &&
  headers['sec-websocket-version'] === '13' &&
  /^[A-Za-z0-9+/]{22}==$/.test(headers['sec-websocket-key'] ?? '')

/** Answers the upgrade. Never resolves where the client has gone meanwhile. */
export const openWebSocket = (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<WebSocket> =>
  new Promise((resolve) => server.handleUpgrade(request, socket, head, resolve))

/** Answers it as a route would. */
export function refuse(socket: Duplex, error: unknown): void {
  const { kind, message, code, param } = error as {
    kind?: keyof typeof failureTypes
    message: string
    code?: string
    param?: string
  }
  const { status, type } = failureTypes[kind ?? 'internal']
  const said = kind === undefined ? 'Internal error' : message
  const body = JSON.stringify({
    error: { type, message: said, ...(code && { code }), ...(param && { param }) }
  })
  const headers = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close`
  socket.end(`HTTP/1.1 ${status} Refused\r\n${headers}\r\n\r\n${body}`)
}
