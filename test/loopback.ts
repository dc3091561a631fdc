import { once } from 'node:events'
import type { IncomingHttpHeaders, RequestListener, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo, Server, Socket } from 'node:net'
import { createServer as createTcpServer } from 'node:net'
import { text } from 'node:stream/consumers'

interface Scope {
  teardown(work: () => unknown): unknown
}

export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

async function addressOf(server: Server) {
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, port }
}

/** An HTTP server on loopback that goes with the test; `seen` counts connections and requests. */
export async function serve(t: Scope, handle: RequestListener, host = '127.0.0.1') {
  const seen = { connections: 0, requests: 0 }
  const server = createServer((request, response) => {
    seen.requests++
    // A client that leaves is no failure of the test.
    request.on('error', () => undefined)
    return handle(request, response)
  }).listen(0, host)
  server.on('connection', () => seen.connections++)
  t.teardown(() => new Promise((resolve) => server.close(resolve).closeAllConnections()))
  return { ...(await addressOf(server)), seen }
}

/** A service on loopback that answers as `handle` says; `asked` are the requests that came, oldest first. */
export async function service(t: Scope, handle: (reply: ServerResponse, asked: Asked) => void) {
  const asked: Asked[] = []
  const server = await serve(t, async (request, reply) => {
    const body = await text(request)
    const { method = '', url: path = '', headers } = request
    asked.push({ method, path, headers, body })
    handle(reply, { method, path, headers, body })
  })
  return { ...server, asked }
}

export const json = (reply: ServerResponse, status: number, body: unknown) =>
  reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** A server that does with each connection what no HTTP server would. */
export async function strange(t: Scope, handle: (socket: Socket) => void): Promise<string> {
  const open = new Set<Socket>()
  const server = createTcpServer((socket) => {
    open.add(socket.on('error', () => undefined))
    handle(socket)
  }).listen(0, '127.0.0.1')
  t.teardown(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  const { url } = await addressOf(server)
  return url
}
