import { Duplex } from 'node:stream'
import type { Frame } from './frames.ts'
import { CREDIT, DATA, DATA_END, DIAL, encode, HANG_UP } from './frames.ts'

/** Bytes of a connection that are under way and not taken yet, each way. */
export const WINDOW = 262_144
/** Of one frame, so that a connection does not hold up the others for long. */
const PIECE = 32_768
/** Taken by whoever reads: told when it is so much. */
const TELL = 65_536

interface Connection {
  hear(kind: number, body: Buffer): void
  readonly stream: Duplex
}

/**
 * Connections as frames of another one, both ends of it. Each is held back by its own reader alone. `accept` is given to the end
 * that others dial; what does not keep to the rules throws, and ends all of them.
 */
export function createConnections(
  write: (frame: Buffer) => boolean,
  accept?: (stream: Duplex) => void
): { dial(): Duplex; hear(frame: Frame): boolean; close(): void } {
  const open = new Map<number, Connection>()
  let last = 0

  function add(channel: number): Duplex {
    const connection = createConnection((kind, body) => void write(encode(channel, kind, body)))
    open.set(channel, connection)
    connection.stream.once('close', () => open.delete(channel))
    return connection.stream
  }

  return {
    dial() {
      const channel = ++last
      write(encode(channel, DIAL))
      return add(channel)
    },
    /** Whether the frame was of a connection. */
    hear({ channel, kind, body }) {
      if (kind < DIAL || kind > CREDIT) return false
      if (kind === DIAL) {
        if (!accept || open.has(channel)) throw new Error('A connection is dialled that is there already')
        accept(add(channel))
      } else open.get(channel)?.hear(kind, body)
      return true
    },
    close() {
      for (const { stream } of open.values()) stream.destroy()
    }
  }
}

function createConnection(send: (kind: number, body?: Uint8Array) => void): Connection {
  let credit = WINDOW
  let room = WINDOW
  let taken = 0
  const arrived: Buffer[] = []
  let waiting: { bytes: Buffer; done: () => void } | undefined
  const over = { here: false, there: false, told: false }
  let wants = false

  function sendOn(): void {
    if (!waiting) return
    const { bytes, done } = waiting
    const part = bytes.subarray(0, credit)
    credit -= part.length
    for (let at = 0; at < part.length; at += PIECE) send(DATA, part.subarray(at, at + PIECE))
    waiting = part.length < bytes.length ? { bytes: bytes.subarray(part.length), done } : undefined
    if (!waiting) done()
  }

  /** As far as there is a reader for it, whom the other end is told of. */
  function give(): void {
    while (wants && arrived.length > 0) {
      const bytes = arrived.shift() as Buffer
      taken += bytes.length
      wants = stream.push(bytes)
    }
    if (taken >= TELL && !over.there) {
      room += taken
      const told = Buffer.alloc(4)
      told.writeUInt32BE(taken)
      taken = 0
      send(CREDIT, told)
    }
    if (!over.there || over.told || arrived.length > 0) return
    over.told = true
    stream.push(null)
  }

  const stream: Duplex = new Duplex({
    allowHalfOpen: true,
    read() {
      wants = true
      give()
    },
    write(bytes: Buffer, _, done) {
      waiting = { bytes, done }
      sendOn()
    },
    final(done) {
      over.here = true
      send(DATA_END)
      done()
    },
    destroy(error, done) {
      if (!over.here || !over.there) send(HANG_UP)
      waiting?.done()
      waiting = undefined
      done(error)
    }
  })
  stream.on('error', () => undefined)

  return {
    stream,
    hear(kind, body) {
      if (kind === DATA) {
        if (over.there || body.length > room) throw new Error('More comes than may')
        room -= body.length
        arrived.push(body)
        give()
      } else if (kind === DATA_END) {
        over.there = true
        give()
      } else if (kind === CREDIT) {
        if (body.length !== 4) throw new Error('A credit is no number')
        credit += body.readUInt32BE()
        if (credit > WINDOW) throw new Error('More is granted than was taken')
        sendOn()
      } else stream.destroy()
    }
  }
}
