import type { IncomingMessage, ServerResponse } from 'node:http'
import { request as httpRequest } from 'node:http'
import type { Duplex } from 'node:stream'
import { duplexPair } from 'node:stream'

/** Routes that are made for what runs in computers; the others are not there for it, whatever it holds. */
const OPEN = '/v1/runtime/'
/** Of a request between the two: what speaks of where it came from, and what belongs to one connection alone. */
const LEFT_OUT = [
  'connection',
  'proxy-connection',
  'proxy-authorization',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'cookie'
]

/** The way from a computer to the platform: no network lies between, and no more than the runtime's routes behind it. */
export interface Door {
  isOpen(): boolean
  /** A request that names no host: it is for the platform. */
  pass(request: IncomingMessage, reply: ServerResponse): void
}

interface Options {
  readonly isOpen: () => boolean
  /** The platform's end. */
  readonly platform: (connection: Duplex) => void
  /** Stands for an address where the platform counts by address. */
  readonly from: string
}

export function createDoor({ isOpen, platform, from }: Options): Door {
  function connection(): Duplex {
    const [inner, outer] = duplexPair()
    // By this the platform sees whether a body still arrives.
    let bytesRead = 0
    const push = outer.push.bind(outer)
    outer.push = (bytes, encoding) => {
      // What still comes of one that has ended would be read as another's request.
      if (outer.destroyed) return false
      bytesRead += bytes?.length ?? 0
      return push(bytes, encoding)
    }
    Object.defineProperty(outer, 'bytesRead', { get: () => bytesRead })
    platform(Object.assign(outer, { remoteAddress: from }))
    return inner
  }

  function pass(request: IncomingMessage, reply: ServerResponse): void {
    const path = request.url ?? ''
    const refuse = (status: number) => {
      if (!reply.headersSent) reply.writeHead(status, { 'content-length': 0, 'x-egress': 'refused' })
      reply.end()
    }
    if (
      !isOpen() ||
      !path.startsWith(OPEN) ||
      /(^|\/)\.{1,2}(\/|$)|%2e|%2f|\\/i.test(path.split('?', 1)[0] ?? '')
    )
      return void refuse(403)
    const headers = { ...request.headers, host: 'platform.internal' }
    for (const name of LEFT_OUT) delete headers[name as keyof typeof headers]
    const asked = httpRequest(
      { createConnection: connection, method: request.method, path, headers },
      (answer) => {
        for (const name of LEFT_OUT) delete answer.headers[name]
        answer.on('error', () => reply.destroy())
        reply.writeHead(answer.statusCode ?? 502, answer.headers)
        reply.flushHeaders()
        answer.pipe(reply)
      }
    )
    asked.on('error', () => refuse(502))
    reply.on('close', () => asked.destroy())
    request.pipe(asked)
  }

  return { isOpen, pass }
}
