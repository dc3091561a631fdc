import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import {
  createMcpHandler,
  fromJsonSchema,
  McpServer,
  WebStandardStreamableHTTPServerTransport
} from '@modelcontextprotocol/server'

interface Scope {
  teardown(work: () => unknown): unknown
}

export interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** An HTTP server on loopback that answers as it is told; `seen` are the requests that came. */
export async function httpServer(t: Scope, answer: (seen: Seen, reply: ServerResponse) => unknown) {
  const seen: Seen[] = []
  const server = createServer(async (request: IncomingMessage, reply) => {
    reply.on('error', () => undefined)
    const { method = '', url: path = '', headers } = request
    const one = { method, path, headers, body: await text(request).catch(() => '') }
    seen.push(one)
    await answer(one, reply)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => new Promise((resolve) => server.close(resolve).closeAllConnections()))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, port, seen, server }
}

export const json = (reply: ServerResponse, status: number, body: unknown, headers = {}) =>
  reply.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

type Fetch = (request: Request) => Promise<Response>

/** A fetch handler behind HTTP. */
export async function pass(
  base: string,
  { method, path, headers, body }: Seen,
  reply: ServerResponse,
  handle: Fetch
) {
  const gone = new AbortController()
  reply.on('close', () => gone.abort())
  const all = new Headers()
  for (const [name, value] of Object.entries(headers)) all.set(name, String(value))
  const has = method !== 'GET' && method !== 'HEAD' && body !== ''
  const response = await handle(
    new Request(base + path, { method, headers: all, signal: gone.signal, ...(has && { body }) })
  )
  reply.writeHead(response.status, Object.fromEntries(response.headers))
  reply.flushHeaders()
  try {
    for await (const chunk of response.body ?? []) reply.write(chunk)
  } catch {
    // The client is gone.
  }
  reply.end()
}

export type Build = (server: McpServer, era: 'legacy' | 'modern') => void

const implementation = { name: 'local', version: '1.2.3' }
const capabilities = { tools: { listChanged: true }, logging: {} }

/** A tool server made with the official library: the newer protocol, or the older one with sessions. */
export async function toolServer(
  t: Scope,
  era: 'legacy' | 'modern',
  build: Build,
  {
    admit = () => true,
    unknownSession = 404
  }: { admit?: (seen: Seen, reply: ServerResponse) => boolean; unknownSession?: number } = {}
) {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()
  const servers = new Set<McpServer>()
  const make = () => {
    const server = new McpServer(implementation, { capabilities })
    build(server, era)
    servers.add(server)
    return server
  }
  const modern = createMcpHandler(make, { legacy: 'reject' })
  let base = ''

  const legacy: Fetch = async (request) => {
    const id = request.headers.get('mcp-session-id')
    const known = id === null ? undefined : sessions.get(id)
    if (known) return known.handleRequest(request)
    if (id !== null) return new Response('no such session', { status: unknownSession })
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (it) => void sessions.set(it, transport)
    })
    await make().connect(transport)
    return transport.handleRequest(request)
  }
  const server = await httpServer(t, (seen, reply) => {
    if (admit(seen, reply)) return pass(base, seen, reply, era === 'modern' ? modern.fetch : legacy)
  })
  base = server.url
  t.teardown(() => modern.close())
  return {
    ...server,
    url: `${server.url}/mcp`,
    sessions,
    /** Says to every client that its tools have changed. */
    changed() {
      if (era === 'modern') modern.notify.toolsChanged()
      else for (const one of servers) if (one.isConnected()) one.sendToolListChanged()
    },
    /** Another tool in all sessions. */
    add(name: string, description: string) {
      for (const one of servers)
        if (one.isConnected())
          one.registerTool(name, { description, inputSchema: schemaOf({}) }, async () => ({ content: [] }))
    },
    /** Forgets every session. */
    forget: () => sessions.clear()
  }
}

export const schemaOf = (properties: object, required: string[] = []) =>
  fromJsonSchema<Record<string, unknown>>({ type: 'object', properties, required } as never)

/** A tool that says what it is told. */
export const echo: Build = (server) => {
  server.registerTool(
    'echo',
    { description: 'Says it again', inputSchema: schemaOf({ message: { type: 'string' } }, ['message']) },
    async ({ message }) => ({ content: [{ type: 'text', text: `Echo: ${message}` }] })
  )
}
