import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Seen } from './tool-server-fixture.ts'
import { httpServer, json } from './tool-server-fixture.ts'

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
export const roughServer = (
  t: Parameters<typeof httpServer>[0],
  answers: Readonly<Record<string, Answer>>,
  capabilities?: object
) => httpServer(t, rough(answers, capabilities))

export function rough(answers: Readonly<Record<string, Answer>>, capabilities: object = { tools: {} }) {
  return (seen: Seen, reply: ServerResponse): unknown => {
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
          serverInfo
        })
      case 'tools/list':
        return result(reply, message, { tools: [tool('go')] })
      default:
        return json(reply, 200, { jsonrpc: '2.0', id, error: { code: -32_601, message: 'no such method' } })
    }
  }
}

/** The oldest transport: one stream, on which everything is answered. `call` answers the calls of its tool. */
export function sseServer(
  t: Parameters<typeof httpServer>[0],
  call: (stream: ServerResponse, answer: (result: object) => void) => void
) {
  let open: ServerResponse | undefined
  return httpServer(t, ({ method, body }, reply) => {
    if (method === 'GET') {
      open = stream(reply)
      return open.write('event: endpoint\ndata: /messages\n\n')
    }
    reply.writeHead(202).end()
    const message = JSON.parse(body) as Message
    if (!open || message.id === undefined || message.method === undefined) return
    const say = (value: object) =>
      open?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id: message.id, ...value })}\n\n`)
    if (message.method === 'tools/call') return call(open, (result) => say({ result }))
    if (message.method === 'tools/list') return say({ result: { tools: [tool('go')] } })
    if (message.method !== 'initialize') return say({ error: { code: -32_601, message: 'no such method' } })
    return say({ result: { protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo } })
  })
}

const serverInfo = { name: 'rough', version: '1' }

export const result = (reply: ServerResponse, { id }: Message, value: unknown) =>
  json(reply, 200, { jsonrpc: '2.0', id, result: value })

export const stream = (reply: ServerResponse) => reply.writeHead(200, { 'content-type': 'text/event-stream' })

/** Writes until the reader has left; how much that was. */
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
