import type { ServerResponse } from 'node:http'
import type {
  LanguageModelV4Content,
  LanguageModelV4Message,
  LanguageModelV4ToolCall
} from '@ai-sdk/provider'
import t from 'tap'
import type { ModelRequest } from '../../../../test/model-server.ts'
import { call, chunk, events, failureOf, prompt, readAll, testbed } from './testbed.ts'

const result = (id: string): LanguageModelV4Message => ({
  role: 'tool',
  content: [
    { type: 'tool-result', toolCallId: id, toolName: 'clock', output: { type: 'text', value: '12:00' } }
  ]
})

/** The message that a reply becomes when it goes back. */
const again = (content: readonly LanguageModelV4Content[]): LanguageModelV4Message => ({
  role: 'assistant',
  content: content.flatMap((part): Extract<LanguageModelV4Message, { role: 'assistant' }>['content'] => {
    const { providerMetadata } = part as Pick<LanguageModelV4ToolCall, 'providerMetadata'>
    const options = providerMetadata ? { providerOptions: providerMetadata } : {}
    if (part.type === 'text' || part.type === 'reasoning')
      return [{ type: part.type, text: part.text, ...options }]
    if (part.type !== 'tool-call') return []
    return [{ ...part, input: JSON.parse(part.input), ...options }]
  })
})

interface Message {
  readonly role: string
  readonly [field: string]: unknown
}

/** What goes back of a reply with those deltas: in the turn that it belongs to, and with the next question. */
async function returned(
  t: Parameters<typeof testbed>[0],
  deltas: readonly object[],
  refuse = (_: readonly Message[]) => ''
) {
  const { server, model } = await testbed(t, {
    respond({ body }: ModelRequest, response: ServerResponse) {
      const refusal = refuse(body.messages as unknown as Message[])
      if (refusal) response.writeHead(400, { 'content-type': 'application/json' }).end(refusal)
      else if (body.messages.length === 1)
        response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .end(events(...deltas.map((delta) => chunk(delta)), chunk({}, 'stop')))
    }
  })
  const one = model('mock?tokens=1')
  const { content } = await one.doGenerate(call())
  const messages = [...prompt('Hello there'), again(content), result('a')]
  await readAll((await one.doStream(call({ prompt: messages }))).stream)
  const more: LanguageModelV4Message[] = [
    { role: 'assistant', content: [{ type: 'text', text: 'Noon' }] },
    ...prompt('And now?')
  ]
  await readAll((await one.doStream(call({ prompt: [...messages, ...more] }))).stream)
  const asked = server.requests.map(({ body }) => (body.messages as unknown as Message[])[1])
  return { content, model: one, messages, asked, server }
}

const called = {
  tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'clock', arguments: '{}' } }]
}

t.test('returns reasoning before a tool call in the field that it came in', async (t) => {
  for (const field of ['reasoning_content', 'reasoning']) {
    const { asked } = await returned(t, [{ [field]: 'A ' }, { [field]: 'clock' }, called])
    t.match(asked.slice(1), [{ [field]: 'A clock' }, { [field]: 'A clock' }])
    for (const message of asked.slice(1))
      t.equal(Object.keys(message ?? {}).filter((name) => name.startsWith('reasoning')).length, 1)
  }
})

t.test('does not return reasoning of a turn without tool calls', async (t) => {
  const { server, model } = await testbed(t)
  const messages: LanguageModelV4Message[] = [
    ...prompt('Hello'),
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'A greeting' },
        { type: 'text', text: 'Hi' }
      ]
    },
    ...prompt('And now?')
  ]
  await readAll((await model('mock?tokens=1').doStream(call({ prompt: messages }))).stream)
  t.notMatch(JSON.stringify(server.requests[0]?.body), /greeting/)
})

t.test('returns structured reasoning unchanged, instead of its text', async (t) => {
  const piece = (it: object) => ({ type: 'reasoning.text', index: 0, format: 'f', ...it })
  const encrypted = { type: 'reasoning.encrypted', index: 1, data: 'ZGF0YQ==' }
  const { asked } = await returned(t, [
    { reasoning: 'A ', reasoning_details: [piece({ text: 'A ' })] },
    { reasoning: 'A ', reasoning_details: [piece({ text: 'A ' })] },
    { reasoning_details: [piece({ signature: 'c2lnbmVk' })] },
    { reasoning_details: [encrypted, encrypted] },
    called
  ])
  const details = [piece({ text: 'A A ', signature: 'c2lnbmVk' }), encrypted, encrypted]
  for (const message of asked.slice(1)) {
    t.strictSame(message?.reasoning_details, details)
    t.notOk('reasoning' in (message ?? {}))
  }

  const block = (it: object) => ({ thinking_blocks: [{ type: 'thinking', ...it }] })
  const blocks = await returned(t, [
    block({ thinking: 'A ', signature: '' }),
    block({ thinking: 'clock', signature: '' }),
    block({ thinking: '', signature: 'c2lnbmVk' }),
    called
  ])
  t.match(blocks.asked[1]?.thinking_blocks, [{ thinking: 'A clock', signature: 'c2lnbmVk' }])
})

t.test('returns signatures of tool calls and messages in their original place', async (t) => {
  const google = { google: { thought_signature: 'c2lnbmVk' } }
  const fields = { provider_specific_fields: { thought_signature: 'b3RoZXI=' } }
  const { asked } = await returned(t, [
    { extra_content: { google: { thought: true } } },
    { extra_content: { google: { thought_signature: 'dGV4dA==' } } },
    {
      tool_calls: [
        { index: 0, id: 'a', extra_content: google, function: { name: 'clock', arguments: '', ...fields } },
        { index: 1, id: 'b', ...fields, function: { name: 'clock', arguments: '{}' } }
      ]
    }
  ])
  for (const message of asked.slice(1))
    t.strictSame(message, {
      role: 'assistant',
      content: null,
      extra_content: { google: { thought_signature: 'dGV4dA==' } },
      tool_calls: [
        {
          extra_content: google,
          id: 'a',
          type: 'function',
          function: { ...fields, name: 'clock', arguments: '{}' }
        },
        { ...fields, id: 'b', type: 'function', function: { name: 'clock', arguments: '{}' } }
      ]
    })
})

t.test('omits returned fields for a server that rejects them, from then on', async (t) => {
  const { asked } = await returned(t, [{ reasoning: 'A clock' }, called], (messages) =>
    messages.some((message) => 'reasoning' in message)
      ? '{"error":{"message":"property \'reasoning\' is unsupported"}}'
      : ''
  )
  t.same(
    asked.map((message) => message && 'reasoning' in message),
    [undefined, true, false, false]
  )
})

t.test('omits a rejected signature only from that request', async (t) => {
  let isInvalid = true
  const { asked } = await returned(
    t,
    [{ thinking_blocks: [{ type: 'thinking', thinking: 'A', signature: 'c2ln' }] }, called],
    (messages) => {
      const is = isInvalid && messages.some((message) => 'thinking_blocks' in message)
      if (is) isInvalid = false
      return is ? '{"error":{"message":"Invalid `signature` in `thinking` block"}}' : ''
    }
  )
  t.same(
    asked.map((message) => message && 'thinking_blocks' in message),
    [undefined, true, false, true]
  )
})

t.test('adds the placeholders that a server requires to tool calls of another model', async (t) => {
  const lacks = (field: string, said: string) => (messages: readonly Message[]) =>
    messages.some((it) => it.tool_calls && !JSON.stringify(it).includes(field)) ? said : ''
  const deepseek = await returned(
    t,
    [called],
    lacks('"reasoning_content":" "', '{"error":{"message":"The `reasoning_content` must be passed back"}}')
  )
  t.match(deepseek.asked.at(-1), { reasoning_content: ' ' })
  const messages = deepseek.server.requests.at(-1)?.body.messages
  t.match(messages?.[3], { content: 'Noon', reasoning_content: ' ' }, 'in all of the turn')
  const gemini = await returned(
    t,
    [called],
    lacks('thought_signature', '[{"error":{"message":"Function call is missing a thought_signature"}}]')
  )
  t.match(gemini.asked.at(-1), {
    tool_calls: [{ extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } } }]
  })
})

t.test('reports a rejection that no concession resolves, after one retry', async (t) => {
  const { server, model } = await testbed(t, {
    respond: (_, response) =>
      void response.writeHead(400).end('{"error":{"message":"reasoning_content is unsupported"}}')
  })
  t.match(await failureOf(model('any').doStream(call())), { statusCode: 400 })
  t.equal(server.requests.length, 1)
})
