import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, RequestOptions } from 'node:http'
import { createServer, request as open } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createServer as createTcpServer } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Booted, BootOptions } from '../../test/boot.ts'
import { boot } from '../../test/boot.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

const addressOf = (server: { address(): unknown }) =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`

/** A compute service on loopback; `connections` counts those that were opened to it. */
export async function upstream(t: Scope, handle: RequestListener) {
  const seen = { connections: 0 }
  const server = createServer(handle).listen(0, '127.0.0.1')
  server.on('connection', () => seen.connections++)
  await once(server, 'listening')
  t.teardown(() => new Promise((resolve) => server.close(resolve).closeAllConnections()))
  return { url: addressOf(server), seen }
}

/** A service that does with each connection what no HTTP server would. */
export async function strange(t: Scope, handle: (socket: Socket) => void): Promise<string> {
  const open = new Set<Socket>()
  const server = createTcpServer((socket) => {
    open.add(socket.on('error', () => undefined))
    handle(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return addressOf(server)
}

/** A platform that forwards to `url`. */
export const forwarding = (t: Scope, url: string, settings: object = {}, options: BootOptions = {}) =>
  boot(t, {
    packs: ['access', 'packs', 'compute'],
    env: { COMPUTE_URL: url },
    deployment: { packs: packsOf(settings) },
    ...options
  })

const packsOf = (settings: object) => ({
  access: { enabled: true },
  packs: { enabled: true },
  compute: { enabled: true, settings }
})

/** Begins a request as that user, with the path as it is written here. */
export async function begin(
  { url, as }: Booted,
  { path, headers, ...options }: RequestOptions & { path: string },
  user = 'ada'
) {
  const { hostname, port } = new URL(url)
  const authorization = `Bearer ${await as(user).key()}`
  return open({ hostname, port, path, headers: { authorization, ...headers }, ...options })
}

export interface RawReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Ends it and reads the whole reply. */
export async function complete(
  request: Awaited<ReturnType<typeof begin>>,
  body?: string | Buffer
): Promise<RawReply> {
  request.end(body)
  const [reply]: [IncomingMessage] = (await once(request, 'response')) as never
  return { status: reply.statusCode ?? 0, headers: reply.headers, text: await text(reply) }
}
