import { once } from 'node:events'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
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

/** A service on loopback that answers as `handle` says; `asked` are the requests that came, oldest first. */
export async function service(t: Scope, handle: (reply: ServerResponse, asked: Asked) => void) {
  const asked: Asked[] = []
  const server = createServer(async (request, reply) => {
    const body = await text(request)
    const { method = '', url: path = '', headers } = request
    asked.push({ method, path, headers, body })
    handle(reply, { method, path, headers, body })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => new Promise((resolve) => server.close(resolve).closeAllConnections()))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, asked }
}

export const json = (reply: ServerResponse, status: number, body: unknown) =>
  reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
