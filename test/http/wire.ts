import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect } from 'node:net'

interface Scope {
  teardown(work: () => unknown): unknown
}

/** A reply as it came over the wire. */
export interface WireReply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
  readonly body: any
}

/** A connection on which the test says byte for byte what is sent. */
export interface Wire {
  readonly socket: Socket
  send(data: string | Uint8Array): void
  /** The next whole reply; rejects when the connection ends before there is one. */
  reply(): Promise<WireReply>
  /** Everything that came and was not taken as a reply. */
  rest(): string
  /** Resolves when the other side has closed. */
  readonly closed: Promise<void>
}

export async function openWire(t: Scope, url: string): Promise<Wire> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let received = Buffer.alloc(0)
  let waiting: (() => void) | undefined
  let ended = false
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    waiting?.()
  })
  // What was written after a refusal may fail; the reply still counts.
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) =>
    socket.once('close', () => {
      ended = true
      waiting?.()
      resolve()
    })
  )
  t.teardown(() => socket.destroy())
  await once(socket, 'connect')

  async function reply(): Promise<WireReply> {
    for (;;) {
      const taken = take(received, ended)
      if (taken) {
        received = received.subarray(taken.length)
        return taken.reply
      }
      if (ended) throw new Error(`Closed after ${JSON.stringify(received.toString().slice(0, 500))}`)
      await new Promise<void>((resolve) => {
        waiting = resolve
      })
    }
  }
  return {
    socket,
    send: (data) => void socket.write(data),
    reply,
    rest: () => received.toString(),
    closed
  }
}

/** Sends one text and takes the reply to it. */
export async function say(t: Scope, url: string, data: string | Uint8Array): Promise<WireReply> {
  const wire = await openWire(t, url)
  wire.send(data)
  const reply = await wire.reply()
  wire.socket.destroy()
  return reply
}

/** The text of a request; `content-length` stands in it where there is a body. */
export function requestText(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string
): string {
  const all = {
    host: 'localhost',
    ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
    ...headers
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`
}

function take(bytes: Buffer, ended: boolean): { reply: WireReply; length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const status = Number(first.split(' ')[1])
  if (status === 100) return take(bytes.subarray(end + 4), ended)
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trim()]
    })
  )
  const framed = unframe(bytes.subarray(end + 4), status, headers, ended)
  if (!framed) return undefined
  const { text, length } = framed
  const isJson = /json/.test(headers.get('content-type') ?? '')
  return {
    reply: { status, headers, text, body: isJson && text ? JSON.parse(text) : undefined },
    length: end + 4 + length
  }
}

/** The body by its length, in chunks, or all until the connection closes. */
function unframe(bytes: Buffer, status: number, headers: Headers, ended: boolean) {
  if (headers.get('transfer-encoding') === 'chunked') return unchunk(bytes)
  const given = headers.get('content-length')
  if (given === null && status !== 101 && !ended) return undefined
  const length = given === null ? (ended ? bytes.length : 0) : Number(given)
  return bytes.length < length ? undefined : { text: bytes.toString('utf8', 0, length), length }
}

function unchunk(bytes: Buffer): { text: string; length: number } | undefined {
  const parts: Buffer[] = []
  for (let at = 0; ; ) {
    const line = bytes.indexOf('\r\n', at)
    if (line < 0) return undefined
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16)
    const next = line + 2 + size + 2
    if (bytes.length < next) return undefined
    if (size === 0) return { text: Buffer.concat(parts).toString(), length: next }
    parts.push(bytes.subarray(line + 2, line + 2 + size))
    at = next
  }
}
