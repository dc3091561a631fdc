import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import t from 'tap'
import type { ChatCompletionsOptions } from '../../chat-completions.ts'
import { API_KEY, call, sent, testbed } from './testbed.ts'

t.test('a bare call', async (t) => {
  const { body, headers, path, warnings } = await sent(t, {})
  t.same(body, {
    model: 'mock?tokens=1',
    stream: true,
    stream_options: { include_usage: true },
    messages: [{ role: 'user', content: 'Hello there' }]
  })
  t.match(headers, { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' })
  t.equal(path, '/v1/chat/completions')
  t.same(warnings, [])
})

t.test('settings', async (t) => {
  const settings = {
    maxOutputTokens: 100,
    temperature: 0,
    topP: 0.5,
    presencePenalty: 1,
    frequencyPenalty: -1,
    seed: 7,
    stopSequences: ['END'],
    reasoning: 'low' as const,
    providerOptions: { test: { service_tier: 'flex', model: 'another' }, other: { x: 1 } }
  }
  const { body } = await sent(t, settings)
  t.match(body, {
    model: 'mock?tokens=1',
    max_tokens: 100,
    temperature: 0,
    top_p: 0.5,
    presence_penalty: 1,
    frequency_penalty: -1,
    seed: 7,
    stop: ['END'],
    reasoning_effort: 'low',
    service_tier: 'flex'
  })
  t.notHas(body, { max_completion_tokens: 100 })
  t.notHas(body, { x: 1 })

  const openai = await sent(t, settings, { openai: true })
  t.match(openai.body, { max_completion_tokens: 100 })
  t.notOk(openai.body?.max_tokens)

  const { warnings } = await sent(t, { topK: 5, includeRawChunks: true, reasoning: 'provider-default' })
  t.match(warnings, [
    { type: 'unsupported', feature: 'topK' },
    { type: 'unsupported', feature: 'includeRawChunks' }
  ])
})

t.test('tools and how they are chosen', async (t) => {
  const inputSchema = { type: 'object', properties: { city: { type: 'string' } } } as const
  const clock = {
    type: 'function',
    name: 'clock',
    description: 'Tells the time',
    inputSchema,
    strict: true
  } as const
  const search = { type: 'provider', id: 'test.search', name: 'search', args: {} } as const
  const { body, warnings } = await sent(t, { tools: [clock, search], toolChoice: { type: 'required' } })
  t.match(body, {
    tools: [
      {
        type: 'function',
        function: { name: 'clock', description: 'Tells the time', parameters: inputSchema, strict: true }
      }
    ],
    tool_choice: 'required'
  })
  t.equal(body?.tools?.length, 1)
  t.match(warnings, [{ type: 'unsupported', feature: 'tool test.search' }])

  const named = await sent(t, { tools: [clock], toolChoice: { type: 'tool', toolName: 'clock' } })
  t.same(named.body?.tool_choice, { type: 'function', function: { name: 'clock' } })
  const none = await sent(t, { tools: [search], toolChoice: { type: 'auto' } })
  t.notOk(none.body?.tools)
  t.notOk(none.body?.tool_choice)
})

t.test('formats of the reply', async (t) => {
  const format = async (responseFormat: LanguageModelV4CallOptions['responseFormat']) =>
    (await sent(t, { responseFormat })).body?.response_format
  t.equal(await format({ type: 'text' }), undefined)
  t.same(await format({ type: 'json' }), { type: 'json_object' })
  const schema = { type: 'object' } as const
  t.same(await format({ type: 'json', schema, name: 'answer', description: 'An answer' }), {
    type: 'json_schema',
    json_schema: { name: 'answer', description: 'An answer', schema }
  })
  t.match(await format({ type: 'json', schema }), { json_schema: { name: 'response' } })
  const clock = { type: 'function', name: 'clock', inputSchema: { type: 'object' } } as const
  const besideTools = {
    responseFormat: { type: 'json', schema },
    tools: [clock]
  } as Partial<LanguageModelV4CallOptions>
  t.notOk((await sent(t, besideTools)).body?.response_format, 'which some servers refuse')
})

t.test('addresses and headers', async (t) => {
  const { server, model } = await testbed(t)
  const asked = async (
    other: Partial<ChatCompletionsOptions>,
    headers?: Record<string, string | undefined>
  ) => {
    await model('mock?tokens=1', other).doGenerate(call({ headers }))
    return server.requests.at(-1)
  }
  t.match(await asked({ baseUrl: `${server.url}/` }), { path: '/v1/chat/completions' })
  t.match(await asked({ baseUrl: `${server.url}?api-version=1` }), {
    path: '/v1/chat/completions?api-version=1'
  })
  t.notOk((await asked({ apiKey: undefined }))?.headers.authorization)
  const withLogin = server.url.replace('http://', 'http://ada:p%40ss@')
  t.match(await asked({ baseUrl: withLogin, apiKey: undefined }), {
    headers: { authorization: `Basic ${Buffer.from('ada:p@ss').toString('base64')}` }
  })
  t.match(await asked({}, { Authorization: 'Bearer other', 'X-Trace': 'abc', 'x-none': undefined }), {
    headers: { authorization: 'Bearer other', 'x-trace': 'abc', 'x-none': undefined }
  })
})

t.test('a server that does not know how to tell usage is asked without', async (t) => {
  const { server, model } = await testbed(t, {
    respond({ body }, response) {
      if (!body.stream_options) return
      const error = { message: "Unknown parameter: 'stream_options'", type: 'invalid_request_error' }
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
    }
  })
  const old = model('mock?text=all the same')
  t.match(await old.doGenerate(call()), { content: [{ text: 'all the same' }] })
  t.match(await old.doGenerate(call()), { usage: { outputTokens: { total: undefined } } })
  t.same(
    server.requests.map(({ body }) => Boolean(body.stream_options)),
    [true, false, false]
  )
})

t.test('what a model is', async (t) => {
  const { model } = await testbed(t)
  const { supportedUrls, ...said } = model('m')
  t.match(said, { specificationVersion: 'v4', provider: 'test', modelId: 'm' })
  const { 'image/*': images } = await supportedUrls
  t.ok(images?.[0]?.test('https://example.com/a.png'))
  t.notOk(images?.[0]?.test('ftp://example.com/a.png'))
})
