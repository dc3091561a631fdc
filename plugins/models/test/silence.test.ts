// budget: 8 s, because time limits of replies run out
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

async function stage(
  scope: Parameters<typeof boot>[0],
  env: Record<string, string>,
  reply: Parameters<typeof modelServer>[1]
) {
  const { url } = await modelServer(scope, reply)
  const { as } = await boot(scope, 'outgoing', 'models', 'sessions', 'jobs', 'runs', {
    env: { OPENAI_COMPATIBLE_BASE_URL: url, ANTHROPIC_API_KEY: 'a', ANTHROPIC_BASE_URL: url, ...env }
  })
  const ada = as('ada')
  return async (modelId: string) => {
    const modelProvider = modelId.endsWith('messages') ? 'anthropic' : 'openai-compatible'
    const { id: agentId } = await ada.agent({ modelProvider, modelId })
    return ada.post('/v1/agents/run', { agentId, messages: [{ role: 'user', content: 'Hello' }] })
  }
}

t.test('ends a reply that sends events without end after RUN_REPLY_SECONDS', async (t) => {
  const run = await stage(t, { RUN_IDLE_SECONDS: '5', RUN_REPLY_SECONDS: '2' }, async (reply, { body }) => {
    const [first, ever] = said[body?.model as string] ?? [[], {}]
    reply.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const data of first) reply.write(`data: ${JSON.stringify(data)}\n\n`)
    for (; !reply.destroyed; await delay(50)) reply.write(`data: ${JSON.stringify(ever)}\n\n`)
  })
  const message = /RUN_REPLY_SECONDS/
  const timeout = async (modelId: string) =>
    t.match(await run(modelId), { status: 504, body: { error: { code: 'model_timeout', message } } }, modelId)
  await Promise.all(Object.keys(said).map(timeout))
})

const answer = (modelId: string) =>
  modelId.endsWith('messages')
    ? [
        opening,
        block,
        { ...empty, delta: { type: 'text_delta', text: 'Slow, and sure' } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } },
        { type: 'message_stop' }
      ]
    : [delta({ content: 'Slow, and sure' }), { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }]
const signs: Readonly<Record<string, string>> = {
  comments: ': PROCESSING\n\n',
  'empty deltas': `data: ${JSON.stringify(delta({ content: '' }))}\n\n`,
  'ping messages': 'event: ping\ndata: {"type":"ping"}\n\n'
}

t.test('waits for a model while anything comes, and not for one that is silent', async (t) => {
  const run = await stage(t, { RUN_IDLE_SECONDS: '1' }, async (reply, { body }) => {
    const modelId = body?.model as string
    reply.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    if (!signs[modelId]) return
    for (let at = 0; at < 10; at++) {
      reply.write(signs[modelId])
      await delay(300)
    }
    for (const data of answer(modelId))
      reply.write(
        `event: ${(data as { type?: string }).type ?? 'message'}\ndata: ${JSON.stringify(data)}\n\n`
      )
    reply.end()
  })
  const waits = async (modelId: string) =>
    t.match(await run(modelId), { status: 200, body: { data: { content: 'Slow, and sure' } } }, modelId)
  const silent = async (modelId: string) =>
    t.match(
      await run(modelId),
      { status: 504, body: { error: { code: 'model_timeout', message: /silent for 1 s/ } } },
      modelId
    )
  await Promise.all([...Object.keys(signs).map(waits), silent('nothing'), silent('no messages')])
})
