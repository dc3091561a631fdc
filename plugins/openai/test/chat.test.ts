// budget: 9 s, because the official client is loaded, and models behind HTTP answer it
import { once } from 'node:events'
import type OpenAI from 'openai'
import t from 'tap'
import { scripted, stage } from '../../../test/model-stage.ts'
import { official, refusal, weather } from './testbed.ts'

const { booted, server, ada } = await stage(t, { packs: ['storage', 'extraction', 'files', 'openai'] })
const { url, as, platform } = booted
const client = await official(url, ada)
const eve = await official(url, as('eve'))
const agent = await ada.agent(scripted('text=Hello there, Ada'))
type Message = OpenAI.ChatCompletionMessageParam
const user = (content: string): Message => ({ role: 'user', content })
const asked = () => server.requests.at(-1)?.body
const statusOf = async (runId: string) => (await ada.get(`/v1/agents/runs/${runId}`)).body.data.status

t.test('agents are models', async (t) => {
  const found = await client.models.list()
  t.match(found.data, [{ id: agent.id, object: 'model', owned_by: 'ada', created: Number }])
  t.match(await client.models.retrieve(agent.id), { id: agent.id, object: 'model' })
  t.same((await eve.models.list()).data, [])
  t.match(await refusal(eve.models.retrieve(agent.id)), { status: 403, type: 'permission_error' })
  t.match(await refusal(client.models.retrieve('gpt-5')), { status: 404, code: 'model_not_found' })
})

t.test('a completion is what the agent answers to all that was sent', async (t) => {
  const messages: Message[] = [
    { role: 'system', content: 'Speak of Ada' },
    user('Hi'),
    { role: 'assistant', content: 'Yes?' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Who ' },
        { type: 'text', text: 'am I?' }
      ]
    }
  ]
  const { data, response } = await client.chat.completions
    .create({ model: agent.id, messages, temperature: 0.25, max_completion_tokens: 99 })
    .withResponse()
  t.match(data, {
    id: /^chatcmpl_[0-9a-z]{26}$/,
    object: 'chat.completion',
    model: agent.id,
    choices: [
      { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hello there, Ada' } }
    ]
  })
  t.ok(data.usage && data.usage.total_tokens === data.usage.prompt_tokens + data.usage.completion_tokens)
  t.equal(data.usage?.completion_tokens, 3)
  t.match(asked(), { temperature: 0.25, max_tokens: 99 })
  t.same(
    asked()?.messages.map(({ role, content }) => [role, content]),
    [
      ['system', 'Speak of Ada'],
      ['user', 'Hi'],
      ['assistant', 'Yes?'],
      ['user', 'Who am I?']
    ]
  )
  const runId = response.headers.get('x-run-id') as string
  t.match((await ada.get(`/v1/agents/runs/${runId}`)).body.data, { status: 'completed', agentId: agent.id })
  t.match(
    await official(url, ada, '/v1').then((it) => it.chat.completions.create({ model: agent.id, messages })),
    {
      choices: [{ message: { content: 'Hello there, Ada' } }]
    }
  )
})

t.test('it is streamed', async (t) => {
  const stream = await client.chat.completions.create({
    model: agent.id,
    messages: [user('Hi')],
    stream: true,
    stream_options: { include_usage: true }
  })
  const chunks = await Array.fromAsync(stream)
  t.equal(chunks.map((it) => it.choices[0]?.delta.content ?? '').join(''), 'Hello there, Ada')
  t.match(chunks[0], { object: 'chat.completion.chunk', choices: [{ delta: { role: 'assistant' } }] })
  t.match(chunks.at(-2)?.choices, [{ delta: {}, finish_reason: 'stop' }])
  t.match(chunks.at(-1), { choices: [], usage: { completion_tokens: 3 } })
  const helper = client.chat.completions.stream({ model: agent.id, messages: [user('Hi')] })
  t.equal(await helper.finalContent(), 'Hello there, Ada')
})

t.test('tools of the client are called by it, and the same run goes on', async (t) => {
  const own = await ada.agent(scripted('tool=weather&args={"place":"Turin"}&text=Rain'))
  const ask = { model: own.id, tools: [weather] }
  const first = await client.chat.completions
    .create({ ...ask, messages: [user('And the weather?')] })
    .withResponse()
  const [choice] = first.data.choices
  t.match(choice, {
    finish_reason: 'tool_calls',
    message: {
      content: null,
      tool_calls: [
        { id: /^call_/, type: 'function', function: { name: 'weather', arguments: '{"place":"Turin"}' } }
      ]
    }
  })
  const call = choice?.message.tool_calls?.[0] as { id: string }
  const messages: Message[] = [
    user('And the weather?'),
    choice?.message as Message,
    { role: 'tool', tool_call_id: call.id, content: 'It rains' }
  ]
  const second = await client.chat.completions.create({ ...ask, messages }).withResponse()
  t.match(second.data.choices, [{ finish_reason: 'stop', message: { content: 'Rain' } }])
  const runOf = ({ response }: { response: Response }) => response.headers.get('x-run-id')
  t.equal(runOf(second), runOf(first), 'it is the run that waited')
  t.not(second.data.id, first.data.id)
  t.match(JSON.stringify(asked()?.messages.at(-1)), /It rains/)
  t.ok((second.data.usage?.completion_tokens ?? 0) > 0)

  const again = await client.chat.completions.create({ ...ask, messages }).withResponse()
  t.not(runOf(again), runOf(first), 'what was answered already begins anew, with the history that was sent')
  t.match(
    asked()?.messages.map(({ role }) => role),
    ['system', 'user', 'assistant', 'tool']
  )
  const other = [user('Another question'), ...messages.slice(1)]
  const third = await client.chat.completions.create({ ...ask, messages: other }).withResponse()
  t.equal(third.data.choices[0]?.message.content, 'Rain')

  const runner = client.chat.completions.runTools({
    model: own.id,
    messages: [user('Once more')],
    stream: true,
    tools: [
      {
        type: 'function',
        function: { ...weather.function, function: () => 'Sun', parse: JSON.parse } as never
      }
    ]
  })
  t.equal(await runner.finalContent(), 'Rain')
  t.match(JSON.stringify(asked()?.messages.at(-1)), /Sun/)
  t.match(await refusal(client.chat.completions.create({ ...ask, messages: messages.slice(0, 2) })), {
    status: 400,
    param: 'messages[1]',
    message: /no message of the role tool/
  })
  t.match(await refusal(client.chat.completions.create({ ...ask, messages: messages.slice(2) })), {
    status: 400,
    param: 'messages[0].tool_call_id'
  })
})

t.test('a schema is asked for', async (t) => {
  const own = await ada.agent(scripted('text={"n":1}'))
  const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
  const { choices } = await client.chat.completions.create({
    model: own.id,
    messages: [user('A number')],
    response_format: { type: 'json_schema', json_schema: { name: 'number', schema, strict: true } }
  })
  t.same(JSON.parse(choices[0]?.message.content as string), { n: 1 })
  t.match(JSON.stringify(asked()), /json_schema|"n":\{"type":"integer"\}/)
  t.match(
    await refusal(
      client.chat.completions.create({
        model: own.id,
        messages: [user('A number')],
        response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'nonsense' } } }
      })
    ),
    { status: 400, param: /^response_format\.json_schema\.schema/ }
  )
})

t.test('pictures and files in messages are shown to the model', async (t) => {
  const png =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const text = `data:text/plain;base64,${Buffer.from('The code is 4711').toString('base64')}`
  const content: OpenAI.ChatCompletionContentPart[] = [
    { type: 'text', text: 'What is the code?' },
    { type: 'file', file: { file_data: text, filename: 'note.txt' } }
  ]
  const messages: Message[] = [{ role: 'user', content }]
  for (let n = 0; n < 2; n++) await client.chat.completions.create({ model: agent.id, messages })
  t.match(JSON.stringify(asked()?.messages), /The code is 4711/)
  t.equal((await platform.knex('openai.upload')).length, 1, 'what is sent again is kept once')
  t.same((await ada.get('/v1/library/files')).body?.data ?? [], [], 'and does not stand in the library')
  const picture: Message = { role: 'user', content: [{ type: 'image_url', image_url: { url: png } }] }
  t.match(await refusal(client.chat.completions.create({ model: agent.id, messages: [picture] })), {
    status: 400,
    code: 'attachment_unsupported',
    param: 'messages'
  })
  const wrong: Message = {
    role: 'user',
    content: [{ type: 'image_url', image_url: { url: 'file:///etc/passwd' } }]
  }
  t.match(await refusal(client.chat.completions.create({ model: agent.id, messages: [wrong] })), {
    status: 400,
    param: 'messages[0].content[0].image_url.url'
  })
  const inner: Message = {
    role: 'user',
    content: [{ type: 'image_url', image_url: { url: `${url.replace('http', 'http')}/health` } }]
  }
  t.match(await refusal(client.chat.completions.create({ model: agent.id, messages: [inner] })), {
    status: 400
  })
})

t.test('failures are told in the form of OpenAI', async (t) => {
  const ask = (fields: object, by = client) =>
    refusal(by.chat.completions.create({ model: agent.id, messages: [user('Hi')], ...fields } as never))
  t.match(await ask({ model: 'gpt-5' }), {
    status: 404,
    code: 'model_not_found',
    type: 'invalid_request_error',
    param: 'model'
  })
  t.match(await ask({}, eve), { status: 403, param: 'model', type: 'permission_error' })
  t.match(await ask({ messages: [] }), { status: 400, type: 'invalid_request_error', param: 'messages' })
  t.match(await ask({ messages: [{ role: 'robot', content: 'Hi' }] }), {
    status: 400,
    param: 'messages[0].role'
  })
  for (const [field, value] of Object.entries({ n: 2, logprobs: true, modalities: ['audio'] }))
    t.match(await ask({ [field]: value }), { status: 400, code: 'unsupported_parameter', param: field })
  const nobody = await official(url, as('eve'))
  nobody.apiKey = 'nonsense'
  t.match(await ask({}, nobody), { status: 401, code: 'invalid_api_key' })
  const narrowed = await official(url, as('narrow', { scopes: ['agents:read'] }))
  t.match(await ask({}, narrowed), { status: 403, code: 'scope_missing' })
  for (const [script, expected] of [
    ['status=401', { status: 400, type: 'invalid_request_error', code: 'model_unauthorized' }],
    ['status=413', { status: 400, type: 'invalid_request_error', code: 'context_length_exceeded' }],
    ['status=402', { status: 402, type: 'insufficient_quota', code: 'insufficient_quota' }],
    ['status=500', { status: 502, type: 'server_error', code: 'model_error' }]
  ] as const) {
    const broken = await ada.agent(scripted(script))
    for (const stream of [false, true]) t.match(await ask({ model: broken.id, stream }), expected, script)
  }
  const limited = await ada.agent(scripted('status=429&retryAfter=7200'))
  const refused = await client.chat.completions
    .create({ model: limited.id, messages: [user('Hi')] }, { maxRetries: 0 })
    .catch((error) => error)
  t.match(refused, { status: 429, type: 'requests', code: 'rate_limit_exceeded' })
  t.ok(Number(refused.headers.get('retry-after')) > 7_000)
  const rubbish = await ada.agent(scripted('rubbish=html'))
  const failed = await client.chat.completions
    .create({ model: rubbish.id, messages: [user('Hi')] })
    .catch((error) => error)
  t.match(failed, { status: 502, code: 'model_malformed' })
  t.equal(failed.headers.get('x-should-retry'), 'false', 'the official client does not repeat it')
  const cut = await ada.agent(scripted('text=One two three four&cutAt=2'))
  const stream = await client.chat.completions.create({ model: cut.id, messages: [user('Hi')], stream: true })
  t.match(await refusal(Array.fromAsync(stream)), { code: 'model_cut_off' })
})

t.test('who leaves cancels, but not what can be asked for again', async (t) => {
  const slow = await ada.agent(scripted('endless=1&delay=5'))
  const leaving = async (headers: Record<string, string>) => {
    const { data, response } = await client.chat.completions
      .create({ model: slow.id, messages: [user('Hi')], stream: true }, { headers })
      .withResponse()
    for await (const _ of data) break
    data.controller.abort()
    return response.headers.get('x-run-id') as string
  }
  const left = once(server.events, 'left')
  const gone = await leaving({})
  await left
  for (let status = ''; status !== 'cancelled'; ) status = await statusOf(gone)
  const kept = await leaving({ 'idempotency-key': 'again' })
  t.equal(await statusOf(kept), 'running')
  const again = await client.chat.completions
    .create(
      { model: slow.id, messages: [user('Hi')], stream: true },
      { headers: { 'idempotency-key': 'again' } }
    )
    .withResponse()
  t.equal(again.response.headers.get('x-run-id'), kept)
  again.data.controller.abort()
  await ada.post(`/v1/agents/runs/${kept}/cancel`)
})

t.test('what was not to be stored goes after a while, with its session and its files', async (t) => {
  const { knex } = platform
  const stored = await client.chat.completions.create({
    model: agent.id,
    messages: [user('Keep')],
    store: true
  })
  await knex('openai.exchange')
    .whereNotNull('expiresAt')
    .update({ expiresAt: new Date(0) })
  await knex('openai.upload').update({ expiresAt: new Date(0) })
  const sessions = () =>
    knex('sessions.session')
      .count('id as n')
      .first()
      .then((row) => Number(row?.n))
  t.ok((await sessions()) > 1)
  const cleanUp = platform.points.all('jobs.worker').find(({ key }) => key === 'openai.clean-up')?.value
  await cleanUp?.work({}, new AbortController().signal)
  await booted.settled()
  t.same(await knex('openai.exchange').pluck('id'), [stored.id])
  t.equal(await sessions(), 1)
  t.same(await knex('openai.upload'), [])
  t.same(await knex('files.file'), [])
})

t.test('a run whose calls are never answered is cancelled', async (t) => {
  const own = await ada.agent(scripted('tool=weather&text=Rain'))
  const { data, response } = await client.chat.completions
    .create({ model: own.id, tools: [weather], messages: [user('Hi')] })
    .withResponse()
  t.equal(data.choices[0]?.finish_reason, 'tool_calls')
  const runId = response.headers.get('x-run-id') as string
  await booted.settled()
  const jobs = await platform.knex('pgboss.job').where({ name: 'openai.abandon' }).select('data')
  t.equal(jobs.filter((job) => JSON.stringify(job).includes(runId)).length, 1)
  const worker = platform.points.all('jobs.worker').find(({ key }) => key === 'openai.abandon')?.value
  await worker?.work(
    { project: 'default', owner: 'ada', runId, callIds: ['call_other'] },
    new AbortController().signal
  )
  t.equal(await statusOf(runId), 'waiting')
  const callIds = data.choices[0]?.message.tool_calls?.map(({ id }) => id)
  await worker?.work({ project: 'default', owner: 'ada', runId, callIds }, new AbortController().signal)
  t.equal(await statusOf(runId), 'cancelled')
})

t.test('finish_reason and incomplete_details report a truncated answer', async (t) => {
  for (const [reason, details] of [
    ['length', 'max_output_tokens'],
    ['content_filter', 'content_filter']
  ] as const) {
    const { id: model } = await ada.agent(scripted(`text=Half a sent&finish=${reason}`))
    const messages = [user('Hi')]
    const { choices } = await client.chat.completions.create({ model, messages })
    t.match(choices, [{ finish_reason: reason, message: { content: 'Half a sent' } }])
    const chunks = await Array.fromAsync(
      await client.chat.completions.create({ model, messages, stream: true })
    )
    t.equal(chunks.at(-1)?.choices[0]?.finish_reason, reason)

    const cut = {
      status: 'incomplete',
      incomplete_details: { reason: details },
      output: [{ type: 'message', status: 'incomplete', content: [{ text: 'Half a sent' }] }]
    } as const
    const response = await client.responses.create({ model, input: 'Hi' })
    t.match(response, cut)
    t.match(await client.responses.retrieve(response.id), cut)
    const events = await Array.fromAsync(await client.responses.create({ model, input: 'Hi', stream: true }))
    t.match(events.at(-1), { type: 'response.incomplete', response: cut })
    const next = { model, previous_response_id: response.id, input: 'Go on' }
    t.match(await client.responses.create(next), { previous_response_id: response.id }, 'it can be continued')

    const mute = await ada.agent(scripted(`text=&finish=${reason}`))
    const refused = await refusal(client.chat.completions.create({ model: mute.id, messages }))
    t.match(refused, { status: 400, code: reason === 'length' ? 'max_tokens_reached' : reason })
  }
})
