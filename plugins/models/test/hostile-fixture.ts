import type { ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort } from 'node:worker_threads'

// The server of a model that means harm, in a thread of its own: what it costs the platform is measured beside it.

const event = (data: unknown) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
const delta = (it: object) => event({ choices: [{ index: 0, delta: it }] })
const called = (...calls: object[]) => delta({ tool_calls: calls })
const named = (index: number, name = 'f', text = '{}') => ({
  index,
  id: `call_${index}`,
  function: { name, arguments: text }
})
const piece = (index: number, text: string) => ({ index, function: { arguments: text } })
const long = (length: number, of = 'a') => of.repeat(length)
const wide = `[${long(150_000, '{},')}1]`

/** What is sent, by the count of what was sent before it; for ever. */
const replies: Readonly<Record<string, (count: number) => string>> = {
  'calls with a growing index': (count) => called(named(count)),
  'giant ids': (count) => called({ ...named(count), id: `${count}${long(400_000)}` }),
  'pieces of two calls by turns': (count) =>
    count === 0
      ? called(named(0), named(1))
      : called(...Array.from({ length: 500 }, (_, i) => piece(i % 2, 'a'))),
  'texts and thoughts by turns': () => delta({ content: 'a' }) + delta({ reasoning: 'b' }),
  'deltas that say nothing': () => event('{}') + delta({}),
  'an event without an end': () => `data: "${long(60_000)}`,
  'wide events': () => event(wide),
  'deep events': () => event(long(250_000, '[') + long(250_000, ']')),
  'messages: calls': (count) =>
    (count === 0 ? opening : '') +
    event({
      type: 'content_block_start',
      index: count,
      content_block: { type: 'tool_use', id: `t${count}`, name: 'f', input: {} }
    }),
  'messages: wide events': (count) =>
    count === 0
      ? opening
      : event(
          `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","content":${wide}}}`
        ),
  'messages: pings': (count) => (count === 0 ? opening : event({ type: 'ping' })),
  'gemini: calls': (count) => parts({ functionCall: { name: `f${count}`, args: {} } }),
  'gemini: many calls in one event': () =>
    parts(...Array.from({ length: 5_000 }, () => ({ functionCall: { name: 'f', args: {} } }))),
  'gemini: thoughts by turns': () => parts({ text: 'a' }, { text: 'b', thought: true })
}

const opening = event({
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 }
  }
})
const parts = (...all: object[]) =>
  event({ candidates: [{ index: 0, content: { role: 'model', parts: all } }] })

async function send(response: ServerResponse, make: (count: number) => string): Promise<void> {
  response.setMaxListeners(0).writeHead(200, { 'content-type': 'text/event-stream' })
  for (let count = 0; !response.destroyed; ) {
    let text = ''
    while (text.length < 60_000) text += make(count++)
    if (response.write(text)) await new Promise(setImmediate)
    else
      await Promise.race(
        ['drain', 'close'].map((name) => new Promise((resolve) => response.once(name, resolve)))
      )
  }
}

const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const path = decodeURIComponent(request.url ?? '')
  const name = Object.keys(replies).find((it) => path.includes(it) || body.includes(it))
  const reply = name === undefined ? undefined : replies[name]
  if (reply) await send(response, reply)
  else response.writeHead(404).end()
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  parentPort?.postMessage(`http://127.0.0.1:${port}`)
})
