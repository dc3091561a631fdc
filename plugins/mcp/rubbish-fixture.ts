import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Seen } from './testbed.ts'
import { httpServer, json } from './testbed.ts'

export interface Message {
  readonly id?: number
  readonly method: string
  readonly params?: Readonly<Record<string, unknown>>
}
export type Answer = (reply: ServerResponse, message: Message, seen: Seen) => unknown

export const tool = (name: string, more: object = {}) => ({
  name,
  description: name,
  inputSchema: { type: 'object' },
  ...more
})

/** Written by hand in the older protocol: decent where it is not told what else to do. */
export function roughServer(
  t: Parameters<typeof httpServer>[0],
  answers: Readonly<Record<string, Answer>>,
  capabilities: object = { tools: {} }
) {
  return httpServer(t, (seen, reply) => {
    if (seen.method !== 'POST') {
      const answer = answers[seen.method]
      return answer ? answer(reply, { method: seen.method }, seen) : reply.writeHead(405).end()
    }
    const message = JSON.parse(seen.body) as Message
    const { id, method } = message
    const answer = answers[method]
    if (answer) return answer(reply, message, seen)
    if (id === undefined) return reply.writeHead(202).end()
    switch (method) {
      case 'initialize':
        return result(reply, message, {
          protocolVersion: '2025-06-18',
          capabilities,
          serverInfo: { name: 'rough', version: '1' }
        })
      case 'tools/list':
        return result(reply, message, { tools: [tool('go')] })
      default:
        return json(reply, 200, { jsonrpc: '2.0', id, error: { code: -32_601, message: 'no such method' } })
    }
  })
}

export const result = (reply: ServerResponse, { id }: Message, value: unknown) =>
  json(reply, 200, { jsonrpc: '2.0', id, result: value })

export const stream = (reply: ServerResponse) => reply.writeHead(200, { 'content-type': 'text/event-stream' })

/** Writes until nobody listens; how much that was. */
export async function pour(
  reply: ServerResponse,
  chunk: string | Buffer,
  most = 1_000_000_000
): Promise<number> {
  let size = 0
  const gone = once(reply, 'close')
  while (!reply.destroyed && size < most) {
    size += chunk.length
    if (!reply.write(chunk)) await Promise.race([once(reply, 'drain'), gone])
  }
  return size
}
