// Runs inside a computer, as its first program and with no more rights than those of what it starts: it takes orders from the
// platform on file 3, or where others stand between on standard input and output, and ends with that connection. What takes it over has won nothing but its own computer.
import { Socket } from 'node:net'
import { createConnections } from './connections.ts'
import { execute } from './exec.ts'
import { read, write } from './files.ts'
import { bySocket, forward } from './forward.ts'
import type { Frame } from './frames.ts'
import {
  createDecoder,
  END,
  encode,
  encodeJson,
  INPUT,
  INPUT_END,
  OPEN,
  PAUSE,
  PING,
  PONG,
  RESIZE,
  RESUME,
  SIGNAL,
  split
} from './frames.ts'
import { measureMemory } from './memory.ts'
import type { Doing, Order, Saying, TerminalSize } from './orders.ts'

const [egress, port, way] = process.argv.slice(2)
// Where what started it gives nothing but those, its standard input and output are the connection.
const isSocket = way === 'file 3'
const heard = new Socket({ fd: isSocket ? 3 : 0, readable: true, writable: isSocket })
const platform = isSocket ? heard : new Socket({ fd: 1, readable: false, writable: true })
const decode = createDecoder()
const channels = new Map<number, Doing>()
const nothing: Doing = { input() {}, inputEnd() {}, signal() {} }
/** Instead of a socket: connections to the proxy are frames as well. */
const FRAMES = 'frames'
const connections = createConnections((frame) => platform.write(frame))

function begin(channel: number, order: Order): Doing {
  const saying: Saying = {
    send(kind, bytes) {
      let isFree = true
      for (const frame of split(channel, kind, bytes)) isFree = platform.write(frame)
      return isFree
    },
    drained: (then) => void platform.once('drain', then),
    end(value) {
      channels.delete(channel)
      platform.write(encodeJson(channel, END, value))
    }
  }
  if (order.op === 'exec') return execute(order, saying)
  if (order.op === 'write') return write(order, saying)
  if (order.op === 'memory') saying.end(measureMemory())
  else read(order, saying)
  return nothing
}

function hear(frame: Frame): void {
  if (connections.hear(frame)) return
  const { channel, kind, body } = frame
  const doing = channels.get(channel)
  if (kind === OPEN) {
    try {
      // One that ends at once was never there.
      channels.set(channel, nothing)
      const begun = begin(channel, JSON.parse(body.toString()) as Order)
      if (channels.has(channel)) channels.set(channel, begun)
    } catch (error) {
      channels.delete(channel)
      const fault = { code: (error as { code?: string }).code ?? 'failed', message: (error as Error).message }
      platform.write(encodeJson(channel, END, { fault }))
    }
  } else if (kind === INPUT) doing?.input(body)
  else if (kind === INPUT_END) doing?.inputEnd()
  else if (kind === SIGNAL) doing?.signal(body.toString())
  else if (kind === PAUSE) doing?.flow?.(false)
  else if (kind === RESUME) doing?.flow?.(true)
  else if (kind === RESIZE) doing?.resize?.(JSON.parse(body.toString()) as TerminalSize)
  else if (kind === PING) platform.write(encode(0, PONG))
}

function leave(): void {
  // It was put beside the first program, with which all others end.
  if (way === 'beside') process.kill(1, 'SIGTERM')
  process.exit(0)
}

platform.setMaxListeners(0)
heard.on('data', (bytes) => {
  for (const frame of decode(bytes as Buffer)) hear(frame)
})
for (const over of ['end', 'error']) heard.on(over, leave)
platform.on('error', leave)
// A terminal that is closed, and a pipe that nobody reads, are no reason to end.
for (const name of ['SIGHUP', 'SIGPIPE', 'SIGINT', 'SIGTERM'] as const) process.on(name, () => undefined)

if (egress && port) await forward(Number(port), egress === FRAMES ? connections.dial : bySocket(egress))
platform.write(encode(0, END))
