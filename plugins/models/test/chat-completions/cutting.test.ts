import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import t from 'tap'
import { createChatCompletionsModel } from '../../chat-completions.ts'
import { call, chunk, connections, events, joined, readAll } from './testbed.ts'

/** Everything that a reply can hold, in characters of every length. */
const reply = events(
  chunk({ role: 'assistant', content: '' }),
  ...['Häm ', 'ein ', '„Ei“ ', '🥚🐣 ', 'tausend '].map((reasoning_content) => chunk({ reasoning_content })),
  ...['Das ', 'ist ', '„gut“, ', 'sagte ', '"sie"\n', '\u2028', '👩‍👩‍👧 ', 'und ', '\\ging\\', '. ', ''].map(
    (content) => chunk({ content })
  ),
  chunk({ content: 'weg' }, null, { service_tier: 'ß' }),
  chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'süche', arguments: '' } }] }),
  ...['{"q":', '"ö', '🎈', '"}'].map((piece) =>
    chunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] })
  ),
  chunk({}, 'tool_calls'),
  { choices: [], usage: { prompt_tokens: 5, completion_tokens: 7 } }
)

/** Numbers that look random, the same for the same seed. */
function random(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Cuts bytes into pieces of up to `most`. */
function cut(bytes: Buffer, below: (n: number) => number, most: number): Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += pieces.at(-1)?.length ?? 0)
    pieces.push(bytes.subarray(at, at + 1 + below(most)))
  return pieces
}

/** A response of HTTP whose body is in chunks of any size. */
function response(body: Buffer, below: (n: number) => number, most: number): Buffer {
  const chunked = cut(body, below, most).flatMap((piece) => [
    `${piece.length.toString(16)}\r\n`,
    piece,
    '\r\n'
  ])
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n'
  return Buffer.concat([head, ...chunked, '0\r\n\r\n'].map((it) => Buffer.from(it)))
}

t.test('the parts are the same wherever the bytes are cut', async (t) => {
  let next: Buffer[] = []
  const server = createServer((socket) => {
    socket.setNoDelay(true)
    socket.on('data', async (asked) => {
      // The request is small and comes in one piece.
      if (!asked.includes('POST ')) return
      for (const piece of next) {
        socket.write(piece)
        // The reader has its turn, and gets this piece alone.
        await new Promise(setImmediate)
      }
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => server.close())
  const { dispatcher } = connections(t)
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const model = createChatCompletionsModel('m', { modelProvider: 'test', baseUrl, dispatcher, openai: false })
  const read = async (pieces: Buffer[]) => {
    next = pieces
    const parts = joined(await readAll((await model.doStream(call())).stream))
    return JSON.stringify(parts, null, 1)
  }

  for (const [name, body] of [
    ['lines of unix', Buffer.from(reply)],
    ['lines of windows', Buffer.from(reply.replaceAll('\n', '\r\n'))]
  ] as const) {
    const whole = await read([response(body, () => body.length, 1)])
    t.match(whole, /„gut“, sagte \\"sie\\"\\n\u2028👩‍👩‍👧 und \\\\ging\\\\. weg/)
    t.match(whole, /"input": "\{\\"q\\":\\"ö🎈\\"\}"/)
    const differing: number[] = []
    for (let seed = 1; seed <= 25; seed++) {
      const below = random(seed)
      const bytes = response(body, below, 1 + below(300))
      if ((await read(cut(bytes, below, 1 + below(200)))) !== whole) differing.push(seed)
    }
    t.same(differing, [], `${name}: seeds whose cuts make a difference`)
  }
})
