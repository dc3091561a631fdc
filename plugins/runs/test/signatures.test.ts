import t from 'tap'
import { events, modelServer } from '../../../test/models.ts'
import { puppetStage, run, tool } from './testbed.ts'

// biome-ignore lint/suspicious/noExplicitAny: requests of several vendors, each of its own form
type Any = any

const usage = { input_tokens: 9, output_tokens: 7 }
const block = (index: number, content_block: object, ...deltas: object[]) => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index }
]
const message = (stop_reason: string, ...blocks: object[][]) => [
  {
    type: 'message_start',
    message: { id: 'm', type: 'message', role: 'assistant', model: 'claude', content: [], usage }
  },
  ...blocks.flat(),
  { type: 'message_delta', delta: { stop_reason }, usage },
  { type: 'message_stop' }
]
const thought = (index: number, text: string, signature: string) =>
  block(
    index,
    { type: 'thinking', thinking: '', signature: '' },
    { type: 'thinking_delta', thinking: text },
    { type: 'signature_delta', signature }
  )
const text = (index: number, said: string) =>
  block(index, { type: 'text', text: '' }, { type: 'text_delta', text: said })
const candidate = (parts: object[], finishReason?: string) => ({
  candidates: [{ content: { role: 'model', parts }, ...(finishReason && { finishReason }) }],
  usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 7, totalTokenCount: 16 }
})

let replies: object[][] = []
const server = await modelServer(t, (reply) => events(reply, replies.shift() ?? []))
const { ada, play } = await puppetStage(t, {
  env: {
    ANTHROPIC_BASE_URL: server.url,
    ANTHROPIC_API_KEY: 'key',
    GOOGLE_GENERATIVE_AI_BASE_URL: server.url,
    GOOGLE_GENERATIVE_AI_API_KEY: 'key',
    OUTGOING_ALLOW: '127.0.0.1'
  }
})
play.tools = () => [tool('look', async () => ({ output: 'blue' }))]
const asked = (field: string): Any => {
  const { body = {} } = server.asked.at(-1) ?? {}
  return body[field]
}

t.test('Anthropic: returns thinking blocks with signatures in their original order', async (t) => {
  const agent = await ada.agent({ modelProvider: 'anthropic', modelId: 'claude-sonnet-4-5' })
  replies = [
    message(
      'tool_use',
      thought(0, 'The tool', 'c2lnbmVk'),
      block(1, { type: 'redacted_thinking', data: 'cmVkYWN0ZWQ=' }),
      text(2, 'Let me look'),
      thought(3, 'Now', 'c2Vjb25k'),
      block(
        4,
        { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} },
        { type: 'input_json_delta', partial_json: '{}' }
      )
    ),
    message('end_turn', thought(0, 'Blue it is', 'bGFzdA=='), text(1, 'Blue')),
    message('max_tokens', text(0, 'Still bl'))
  ]
  const { data } = (await run(ada, agent, 'Look')).body
  const called = [
    { type: 'thinking', thinking: 'The tool', signature: 'c2lnbmVk' },
    { type: 'redacted_thinking', data: 'cmVkYWN0ZWQ=' },
    { type: 'text', text: 'Let me look' },
    { type: 'thinking', thinking: 'Now', signature: 'c2Vjb25k' },
    { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }
  ]
  t.match(data, { content: 'Blue', finishReason: 'stop' })
  t.match(asked('messages')[1].content, called)
  t.match(asked('messages')[2].content, [{ type: 'tool_result', tool_use_id: 'toolu_1' }])

  const next = await run(ada, agent, 'And now?', { sessionId: data.sessionId })
  t.match(next.body.data, { content: 'Still bl', finishReason: 'length' })
  t.match(asked('messages')[1].content, called)
  t.match(asked('messages')[3].content, [
    { type: 'thinking', thinking: 'Blue it is', signature: 'bGFzdA==' },
    { type: 'text', text: 'Blue' }
  ])
})

t.test('Google: returns signatures with their parts', async (t) => {
  const agent = await ada.agent({ modelProvider: 'google', modelId: 'gemini-3.8-flash' })
  replies = [
    [
      candidate([{ text: 'The tool', thought: true }]),
      candidate([{ functionCall: { name: 'look', args: {} }, thoughtSignature: 'c2lnbmVk' }]),
      candidate([{ functionCall: { name: 'look', args: { again: true } } }], 'STOP')
    ],
    [candidate([{ text: 'Blue' }]), candidate([{ text: '', thoughtSignature: 'bGFzdA==' }], 'STOP')],
    [candidate([{ text: 'Unsaf' }], 'SAFETY')]
  ]
  const { data } = (await run(ada, agent, 'Look')).body
  t.match(data, { content: 'Blue', finishReason: 'stop' })
  const calls = () =>
    asked('contents')
      .flatMap(({ parts }: Any) => parts)
      .filter((part: Any) => 'functionCall' in part)
  t.match(calls(), [{ thoughtSignature: 'c2lnbmVk' }, { functionCall: { args: { again: true } } }])
  t.notOk(calls()[1].thoughtSignature)

  const next = await run(ada, agent, 'And now?', { sessionId: data.sessionId })
  t.match(next.body.data, { content: 'Unsaf', finishReason: 'content_filter' })
  t.match(calls(), [{ thoughtSignature: 'c2lnbmVk' }, { functionCall: { args: { again: true } } }])
  t.match(JSON.stringify(asked('contents').at(-2)), /"text":"Blue".*bGFzdA==/)
})
