import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { WebSocket } from 'ws'
import { WebSocketServer } from 'ws'
import type { ExecEnd } from '../guest/orders.ts'
import { HOME, SYSTEM_PATH } from '../local/surroundings.ts'
import type { Machine } from '../provider/machine.ts'

/** Of one message of a browser: pages may make them as long as they like. */
const MOST = 33_554_432
/** Of messages that the driver has not taken yet. */
const MOST_WAITING = 67_108_864
/** Of what comes within ten seconds: a browser that says more is none. */
const MOST_MESSAGES = 50_000
const MOST_BYTES = 268_435_456
const WINDOW_MS = 10_000

/**
 * A browser inside of a computer, which speaks over two pipes, for a driver that speaks over a WebSocket: on loopback, at an
 * address that nobody can guess, for one connection.
 */
export async function bridge(machine: Machine, argv: readonly string[]) {
  const path = `/${randomBytes(24).toString('hex')}`
  const server = new WebSocketServer({
    host: '127.0.0.1',
    port: 0,
    path,
    maxPayload: MOST,
    perMessageDeflate: false
  })
  await once(server, 'listening')
  let client: WebSocket | undefined
  const waiting: string[] = []
  let waitingLength = 0
  let parts: Buffer[] = []
  let size = 0
  let window = { since: 0, messages: 0, bytes: 0 }
  const isTooMuch = (bytes: number, messages: number) => {
    const now = performance.now()
    if (now - window.since > WINDOW_MS) window = { since: now, messages: 0, bytes: 0 }
    window.bytes += bytes
    window.messages += messages
    return window.messages > MOST_MESSAGES || window.bytes > MOST_BYTES
  }
  const take = (bytes: Buffer) => {
    if (isOver) return
    size += bytes.length
    parts.push(bytes)
    if (size > MOST || isTooMuch(bytes.length, 0)) return close()
    if (!bytes.includes(0)) return
    const messages = Buffer.concat(parts).toString('utf8').split('\0')
    const rest = messages.pop() ?? ''
    parts = rest === '' ? [] : [Buffer.from(rest)]
    size = parts[0]?.length ?? 0
    if (isTooMuch(0, messages.length + waiting.length)) return close()
    if (!client) {
      waiting.push(...messages)
      waitingLength += messages.reduce((sum, { length }) => sum + length, 0)
      if (waitingLength > MOST_WAITING) close()
      return
    }
    for (const message of messages) client.send(message)
    if (client.bufferedAmount > MOST_WAITING) close()
  }
  // What the home has under the name of the browser is not it.
  const env = { HOME, PATH: SYSTEM_PATH }
  const task = machine.perform<ExecEnd>(
    { op: 'exec', argv, cwd: '.', env, most: Number.MAX_SAFE_INTEGER, pipes: true },
    { output: take, background: true }
  )
  let isOver = false
  const close = () => {
    isOver = true
    task.signal('SIGKILL')
    for (const client of server.clients) client.terminate()
    server.close()
  }
  const ended = task.done.then(
    (end) => end,
    () => undefined
  )
  void ended.then(close)
  server.on('connection', (opened) => {
    if (client || isOver) return opened.terminate()
    client = opened
    for (const message of waiting.splice(0)) opened.send(message)
    opened.on('message', async (data) => {
      if (task.input(Buffer.from(`${data}\0`))) return
      opened.pause()
      await task.drained()
      opened.resume()
    })
    opened.on('error', close)
    opened.on('close', close)
  })
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, ended, close }
}
