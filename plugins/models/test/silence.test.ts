import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { modelServer } from '../../../test/models.ts'

const delta = (it: object) => ({ choices: [{ index: 0, delta: it }] })
const name = delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f' } }] })
const opening = {
  type: 'message_start',
  message: {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    usage: { input_tokens: 1, output_tokens: 1 }
  }
}
const block = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }
const empty = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '' } }

/** What a model goes on saying, after what it said first. */
const said: Readonly<Record<string, readonly [object[], object]>> = {
  nothing: [[], {}],
  'no text': [[delta({ content: 'So' })], delta({ content: '' })],
  'a name': [[name], name],
  'no text of messages': [[opening, block], empty]
}

t.test('a model that sends events and says nothing is silent', async (t) => {
  const { url } = await modelServer(t, async (reply, { body }) => {
    const [first, ever] = said[body?.model as string] ?? [[], {}]
    reply.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const data of first) reply.write(`data: ${JSON.stringify(data)}\n\n`)
    for (; !reply.destroyed; await delay(50)) reply.write(`data: ${JSON.stringify(ever)}\n\n`)
  })
  const { as } = await boot(t, 'outgoing', 'models', 'sessions', 'jobs', 'runs', {
    env: {
      RUN_IDLE_SECONDS: '2',
      OPENAI_COMPATIBLE_BASE_URL: url,
      ANTHROPIC_API_KEY: 'a',
      ANTHROPIC_BASE_URL: url
    }
  })
  const ada = as('ada')
  const run = async (modelId: string) => {
    const modelProvider = modelId.endsWith('messages') ? 'anthropic' : 'openai-compatible'
    const { id: agentId } = await ada.agent({ modelProvider, modelId })
    const reply = await ada.post('/v1/agents/run', {
      agentId,
      messages: [{ role: 'user', content: 'Hello' }]
    })
    t.match(reply, { status: 504, body: { error: { code: 'model_timeout' } } }, modelId)
  }
  await Promise.all(Object.keys(said).map(run))
})
