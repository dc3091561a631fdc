import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Transform } from 'node:stream'
import { invalid, tooLarge } from 'agent-platform'

/**
 * The body of a request as it arrives, or undefined where there is none. It fails with 413 beyond `limit`
 * bytes, and when the caller leaves. If it is destroyed before its end, the rest is read and thrown away, so
 * that the caller gets its reply; beyond twice the limit the connection is cut.
 */
export function bodyOf(raw: IncomingMessage, limit: number): Readable | undefined {
  const length = Number(raw.headers['content-length'] ?? 0)
  if (length === 0 && raw.headers['transfer-encoding'] === undefined) return undefined
  if (raw.method === 'GET' || raw.method === 'HEAD' || raw.method === 'OPTIONS')
    return refuse(raw, limit, invalid('', `A ${raw.method} has no body`))
  if (length > limit) return refuse(raw, limit, beyond(limit))
  return limited(raw, limit)
}

const beyond = (limit: number) => tooLarge(`The body is larger than ${limit} bytes`)

function refuse(raw: IncomingMessage, limit: number, failure: Error): never {
  discard(raw, 2 * limit)
  throw failure
}

function limited(raw: IncomingMessage, limit: number): Readable {
  let size = 0
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size > limit) done(beyond(limit))
      else done(null, chunk)
    }
  })
  // Its reader gets a failure; before there is one it is nothing.
  body.on('error', () => undefined)
  body.once('close', () => {
    raw.unpipe(body)
    if (!raw.readableEnded) discard(raw, 2 * limit - size)
  })
  raw.once('close', () => {
    if (!raw.readableEnded) body.destroy(new Error('The caller left'))
  })
  raw.pipe(body)
  return body
}

function discard(raw: IncomingMessage, most: number): void {
  let left = most
  raw.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) raw.destroy()
  })
  raw.resume()
}
