import { once } from 'node:events'
import { request } from 'node:http'
import type { Socket } from 'node:net'
import type { Scope } from './stage.ts'

export interface Opened {
  readonly status: number
  /** The reply's headers and the first line that the socket said, or the body of a refusal. */
  readonly text: string
  readonly socket: Socket
}

/** Asks for a socket, as a browser's WebSocket does; resolves with whatever was answered. */
export async function openSocket(t: Scope, url: string, key?: string): Promise<Opened> {
  const asked = request(url, {
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      ...(key && { authorization: `Bearer ${key}` })
    }
  }).end()
  asked.on('error', () => {})
  const { promise, resolve, reject } = Promise.withResolvers<Opened>()
  asked.once('error', reject)
  asked.once('upgrade', async (response, socket: Socket, head: Buffer) => {
    socket.on('error', () => {})
    t.teardown(() => socket.destroy())
    const first = head.length > 0 ? head : (await once(socket, 'data'))[0]
    resolve({ status: response.statusCode ?? 0, text: String(first), socket })
  })
  asked.once('response', async (response) => {
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk)
    resolve({
      status: response.statusCode ?? 0,
      text: Buffer.concat(chunks).toString(),
      socket: response.socket
    })
  })
  return promise
}
