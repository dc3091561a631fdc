import type { IncomingMessage, Server } from 'node:http'
import { createServer, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { Door } from './door.ts'

/** Where the programs of a computer find a proxy: all of the network that there is. */
export interface Egress {
  /** On a connection of a provider's, such as one that came over a socket in the computer's file system. */
  accept(connection: Duplex): void
  /** Ends what is under way. */
  close(): void
}

interface Options {
  /** Leads to the platform itself, while something in the computer may speak to it. */
  readonly door: Door
  readonly outgoing: Pick<Outgoing, 'lookup'>
  /** Asked at each connection, so that a change holds at once. */
  readonly allowed: () => readonly string[]
  readonly refused: (host: string) => void
}

const CONNECT_MS = 10_000
/** Of a computer, at a time. */
const CONNECTIONS = 256
/** To be spoken to by TLS or HTTP without being named. */
const PORTS = new Set([80, 443])
const HOP = [
  'connection',
  'proxy-connection',
  'proxy-authorization',
  'keep-alive',
  'te',
  'trailer',
  'upgrade'
]

/**
 * Whether a host may be reached at a port: `example.com`, `example.com:8443`, `*.example.com` (what lies below it, not itself), or
 * `*` for all. Without a port it is 80 and 443.
 */
export function allows(hosts: readonly string[], host: string, port: number): boolean {
  const name = host.toLowerCase().replace(/\.$/, '')
  return hosts.some((it) => {
    const [, pattern = '', wanted] = /^(.*?)(?::(\d+))?$/.exec(it.toLowerCase()) ?? []
    if (wanted === undefined ? !PORTS.has(port) : Number(wanted) !== port) return false
    if (pattern === '*') return true
    return pattern.startsWith('*.') ? name.endsWith(pattern.slice(1)) : name === pattern
  })
}

/**
 * A proxy of HTTP, and of anything by CONNECT, for one computer: it reaches the hosts that the agent may, and of their addresses
 * those that the platform lets users reach.
 */
export function createEgress({ door, outgoing, allowed, refused }: Options): Egress {
  const open = new Set<Duplex>()
  const server: Server = createServer({ maxHeaderSize: 65_536 })

  function target(host: string, port: number) {
    if (!allows(allowed(), host, port)) {
      refused(port === 443 || port === 80 ? host : `${host}:${port}`)
      return undefined
    }
    return { host, port, lookup: outgoing.lookup(host, port) }
  }

  server.on('connect', (request: IncomingMessage, inner: Duplex, head: Buffer) => {
    inner.on('error', () => inner.destroy())
    const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(request.url ?? '') ?? []
    try {
      const to = port ? target(bracketed ?? plain ?? '', Number(port)) : undefined
      if (!to)
        return void inner.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nx-egress: refused\r\n\r\n')
      const outer = connect({ ...to, timeout: CONNECT_MS }, () => {
        outer.setTimeout(0)
        inner.write('HTTP/1.1 200 Connection Established\r\n\r\n')
        outer.write(head)
        inner.pipe(outer).pipe(inner)
      })
      outer.on('timeout', () => outer.destroy(new Error('timeout')))
      outer.on('error', () => inner.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n'))
      inner.on('close', () => outer.destroy())
      outer.on('close', () => inner.destroy())
    } catch {
      inner.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nx-egress: refused\r\n\r\n')
    }
  })

  server.on('request', (request, reply) => {
    if (request.url?.startsWith('/') && door.isOpen()) return door.pass(request, reply)
    const url = URL.parse(request.url ?? '')
    const fail = (status: number) => {
      if (!reply.headersSent) reply.writeHead(status, { 'content-length': 0, 'x-egress': 'refused' })
      reply.end()
    }
    if (url?.protocol !== 'http:' || url.username || url.password) return fail(400)
    try {
      const host = url.hostname.replace(/^\[|\]$/g, '')
      const to = target(host, Number(url.port || 80))
      if (!to) return fail(403)
      const headers = { ...request.headers, host: url.host }
      for (const name of HOP) delete headers[name as keyof typeof headers]
      const path = url.pathname + url.search
      const asked = httpRequest({ ...to, agent: false, method: request.method, path, headers }, (answer) => {
        for (const name of HOP) delete answer.headers[name]
        answer.on('error', () => reply.destroy())
        try {
          // A status or a header that cannot be passed on throws here, where nobody else would hear of it.
          reply.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(reply)
        } catch {
          answer.destroy()
          fail(502)
        }
      })
      asked.on('error', () => fail(502))
      reply.on('close', () => asked.destroy())
      request.pipe(asked)
    } catch {
      fail(403)
    }
  })
  server.on('clientError', (_error, connection) => connection.destroy())

  return {
    accept(connection) {
      if (open.size >= CONNECTIONS) return void connection.destroy()
      open.add(connection)
      connection.on('error', () => connection.destroy())
      connection.on('close', () => open.delete(connection))
      server.emit('connection', connection)
    },
    close() {
      for (const connection of open) connection.destroy()
    }
  }
}
