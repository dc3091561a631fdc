import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { hosted, hostedKeys } from '../providers/hosted.ts'
import { ModelSettings } from '../settings.ts'
import { chunk, events } from './chat-completions/testbed.ts'

interface Asked {
  readonly path: string
  readonly authorization: string | undefined
  readonly body: { model?: string; stream_options?: unknown; messages?: unknown[] }
}
type Reply = { status: number; body: object } | undefined

/** A hosted provider: lists `models` and answers `pong`, unless `refuse` has a reply to a request. */
async function vendor(models: object, refuse: (asked: Asked) => Reply = () => undefined) {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString()
    const { authorization } = request.headers
    const it = { path: request.url ?? '', authorization, body: text ? JSON.parse(text) : {} }
    asked.push(it)
    const refusal = refuse(it)
    const reply = refusal ?? (it.path.endsWith('/models') ? { status: 200, body: models } : undefined)
    if (reply)
      return void response
        .writeHead(reply.status, { 'content-type': 'application/json' })
        .end(JSON.stringify(reply.body))
    const usage = { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 }
    response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .end(events(chunk({ role: 'assistant', content: 'pong' }), chunk({}, 'stop', { usage })))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.teardown(() => server.close())
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const booted = await boot(t, 'outgoing', 'models', 'runs', {
  env: { OUTGOING_ALLOW: '127.0.0.1/32', GROQ_API_KEY: 'gsk-operator' }
})
const service = booted.as('backend', { type: 'service' })
const ada = booted.as('ada')
const run = async (modelProvider: string, modelId?: string, client = ada) => {
  const agent = await client.agent({ modelProvider, ...(modelId && { modelId }) })
  return client.post('/v1/agents/run', { agentId: agent.id, messages: [{ role: 'user', content: 'ping' }] })
}
const put = (key: string, baseUrl: string) =>
  service.put(`/v1/models/providers/${key}`, { apiKey: `key-of-${key}`, baseUrl })

t.test('each hosted provider has an address with TLS and a key that a variable sets', async (t) => {
  for (const key of hostedKeys) {
    const {
      apiKey,
      baseUrl = 'https://resource.openai.azure.com/openai/v1'
    }: { apiKey: string; baseUrl?: string } = hosted[key]
    t.match(baseUrl, /^https:\/\/[a-z0-9.-]+(\/[a-z0-9]+)*$/)
    const setting = (ModelSettings.properties as Record<string, { env?: string; secret?: boolean }>)[apiKey]
    t.match(setting, { env: /_API_KEY$/, secret: true }, key)
  }
})

t.test('a run with a hosted provider asks its chat completions with the key of the project', async (t) => {
  for (const key of hostedKeys) {
    const { url, asked } = await vendor({ object: 'list', data: [{ id: 'first-model' }] })
    t.match(await put(key, `${url}/v1`), { status: 200, body: { data: { configured: true } } })
    t.match(await run(key, 'some-model'), { status: 200, body: { data: { content: 'pong' } } }, key)
    const request = asked.find(({ path }) => path === '/v1/chat/completions')
    t.match(request, { authorization: `Bearer key-of-${key}`, body: { model: 'some-model' } })
  }
})

t.test('without a model of the agent, the first one that the provider lists is asked', async (t) => {
  const { url, asked } = await vendor([{ id: 'meta/llama', context_length: 131_072 }, { id: 'other' }])
  t.match(await put('together', url), { status: 200 })
  t.match(await run('together'), { status: 200 }, 'Together AI lists models without an object around them')
  t.match(asked.at(-1), { path: '/chat/completions', body: { model: 'meta/llama' } })
})

t.test('models of providers without a list are known', async (t) => {
  const { url, asked } = await vendor({}, ({ path }) =>
    path.endsWith('/models') ? { status: 404, body: { error: { message: 'Not found' } } } : undefined
  )
  t.match(await put('perplexity', url), { status: 200 })
  t.match(await run('perplexity'), { status: 200 })
  t.match(asked, [{ path: '/chat/completions', body: { model: 'sonar-pro' } }])
})

t.test('a request is sent without stream_options to a provider that rejects them', async (t) => {
  const { url, asked } = await vendor({}, ({ body }) =>
    body.stream_options
      ? { status: 400, body: { message: "unknown field: parameter 'stream_options' is not a valid field" } }
      : undefined
  )
  t.match(await put('cohere', url), { status: 200 })
  t.match(await run('cohere'), { status: 200, body: { data: { content: 'pong' } } })
  t.match(await run('cohere'), { status: 200 })
  t.same(
    asked.map(({ body }) => body.stream_options !== undefined),
    [true, false, false],
    'the rejection is remembered'
  )
})

t.test('a provider with a key of the operator is configured for every project', async (t) => {
  const other = booted.as('backend', { type: 'service', project: 'other' })
  const eve = booted.as('eve', { project: 'other' })
  const { data } = (await other.get('/v1/models/providers?limit=50')).body
  const states = new Map(data.map((it: { id: string; source: string | null }) => [it.id, it.source]))
  t.equal(states.get('groq'), 'environment')
  t.equal(states.get('xai'), null)
  t.match(await run('xai', 'grok', eve), {
    status: 503,
    body: { error: { message: /xAI is not configured: it needs a key/ } }
  })
  t.match(await run('azure', 'gpt', eve), { status: 503 })
})
