// budget: 9 s, because the official client is loaded, and models behind HTTP answer it
import type OpenAI from 'openai'
import t from 'tap'
import { json } from '../../../test/loopback.ts'
import { scripted, stage } from '../../../test/model-stage.ts'
import { modelServer } from '../../../test/models.ts'
import { official, refusal, weather, weatherTool } from './testbed.ts'

/** Vectors of texts, by how many characters they have. */
const vectors = await modelServer(t, (reply, { body }) =>
  json(reply, 200, {
    data: ((body?.input ?? []) as string[]).map((text, index) => ({ index, embedding: [text.length, 0, 0] })),
    usage: { prompt_tokens: 1 }
  })
)
const { booted, server, ada } = await stage(t, {
  packs: ['storage', 'extraction', 'files', 'openai'],
  env: {
    OPENAI_BASE_URL: vectors.url,
    OPENAI_API_KEY: 'key-of-operator',
    EMBEDDING_PROVIDER: 'openai',
    EMBEDDING_MODEL_ID: 'small'
  }
})
const { url, as } = booted
const client = await official(url, ada)
const eve = await official(url, as('eve'))
const agent = await ada.agent({ ...scripted('text=Fine'), name: 'Weather frog' })
type Message = OpenAI.ChatCompletionMessageParam
const messages: Message[] = [{ role: 'user', content: 'Hi' }]
const asked = () => server.requests.at(-1)?.body as Record<string, unknown>
const chat = (fields: object, by = client) =>
  by.chat.completions.create({ model: agent.id, messages, ...fields } as never) as unknown as Promise<
    OpenAI.ChatCompletion & { choices: { message: { reasoning_content?: string } }[] }
  >
const news = { type: 'function', function: { name: 'news', parameters: { type: 'object' } } }
const tools = [weather, news]
const offered = () => (asked().tools as { function: { name: string } }[]).map((it) => it.function.name)

t.test('options of a request reach the model', async (t) => {
  await chat({
    stop: 'Observation:',
    top_p: 0.5,
    seed: 4,
    reasoning_effort: 'low',
    tools,
    parallel_tool_calls: false
  })
  t.match(asked(), {
    stop: ['Observation:'],
    top_p: 0.5,
    seed: 4,
    reasoning_effort: 'low',
    parallel_tool_calls: false,
    tool_choice: 'auto'
  })
  await chat({ stop: ['a', 'b'] })
  t.same(asked().stop, ['a', 'b'])
  for (const stop of [[], null]) {
    await chat({ stop })
    t.notOk('stop' in asked())
  }
  await client.responses.create({
    model: agent.id,
    input: 'Hi',
    top_p: 0.25,
    reasoning: { effort: 'high' },
    parallel_tool_calls: true
  })
  t.match(asked(), { top_p: 0.25, reasoning_effort: 'high', parallel_tool_calls: true })
  await chat({ response_format: { type: 'json_object' } })
  t.same(asked().response_format, { type: 'json_object' })
})

t.test('a call can be forced, and tools can be limited', async (t) => {
  await chat({ tools, tool_choice: 'required' })
  t.equal(asked().tool_choice, 'required')
  await chat({ tools, tool_choice: { type: 'function', function: { name: 'news' } } })
  t.match(asked().tool_choice, { type: 'function', function: { name: 'news' } })
  const only = [{ type: 'function', function: { name: 'weather' } }]
  await chat({
    tools,
    tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: only } }
  })
  t.same([asked().tool_choice, offered()], ['required', ['weather']])
  await client.responses.create({
    model: agent.id,
    input: 'Hi',
    tools: [weatherTool],
    tool_choice: { type: 'function', name: 'weather' }
  })
  t.match(asked().tool_choice, { type: 'function', function: { name: 'weather' } })
  await client.responses.create({
    model: agent.id,
    input: 'Hi',
    tools: [weatherTool],
    tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'weather' }] }
  })
  t.same([asked().tool_choice, offered()], ['auto', ['weather']])
  await chat({ tools, tool_choice: 'none' })
  t.notOk('tools' in asked())
})

t.test('a call that is forced in each request is forced again behind its result', async (t) => {
  const own = await ada.agent(scripted('tool=weather&args={}&text=Rain&run=again'))
  const forced = { model: own.id, tools, tool_choice: 'required' }
  const first = await chat(forced)
  const [choice] = first.choices
  t.equal(choice?.finish_reason, 'tool_calls')
  const id = choice?.message.tool_calls?.[0]?.id
  const next = [...messages, choice?.message, { role: 'tool', tool_call_id: id, content: 'Wet' }]
  await chat({ ...forced, messages: next })
  t.equal(asked().tool_choice, 'required')
  t.match(JSON.stringify(asked().messages), /Wet/)
})

t.test('refuses what cannot be asked for', async (t) => {
  for (const [fields, param] of [
    [{ functions: [weather.function] }, 'functions'],
    [{ functions: [weather.function], function_call: 'auto' }, 'functions'],
    [{ function_call: 'auto' }, 'function_call'],
    [{ stop: ['a', 'b', 'c', 'd', 'e'] }, 'stop'],
    [{ stop: [7] }, 'stop'],
    [{ reasoning_effort: 'hard' }, 'reasoning_effort'],
    [{ tools, tool_choice: 'sometimes' }, 'tool_choice'],
    [{ tools, tool_choice: { type: 'function', function: { name: 'dance' } } }, 'tool_choice'],
    [{ tool_choice: { type: 'function', function: { name: 'weather' } } }, 'tool_choice'],
    [{ tools, tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'all', tools } } }, 'tool_choice']
  ] as const)
    t.match(await refusal(chat(fields)), { status: 400, param }, JSON.stringify(fields))
  await chat({ functions: [], function_call: null })
  t.match(await refusal(chat({ tool_choice: 'required' })), { status: 400, code: 'tool_not_found' })
  const strict = await ada.agent({ ...scripted('text=Fine'), options: { callerOptions: ['stop'] } })
  t.match(await refusal(chat({ model: strict.id, top_p: 0.5 })), {
    status: 403,
    code: 'option_not_allowed',
    param: 'top_p'
  })
  await chat({ model: strict.id, stop: 'x' })
})

t.test('an agent is found by its name, by its owner', async (t) => {
  const found = await chat({ model: 'Weather frog' })
  t.match(found, { model: 'Weather frog', choices: [{ message: { content: 'Fine' } }] })
  t.match(await client.responses.create({ model: 'Weather frog', input: 'Hi' }), { output_text: 'Fine' })
  t.match(await client.models.retrieve('Weather frog'), { id: agent.id })
  for (const [model, by] of [
    ['Weather frog', eve],
    ['weather frog', client]
  ] as const)
    t.match(await refusal(chat({ model }, by)), { status: 404, code: 'model_not_found', param: 'model' })
})

t.test('reasoning is returned only where it is asked for', async (t) => {
  const own = await ada.agent(scripted('reasoning=3&text=So'))
  t.notOk('reasoning_content' in ((await chat({ model: own.id })).choices[0]?.message ?? {}))
  const whole = await chat({ model: own.id, include_reasoning: true })
  const thought = whole.choices[0]?.message.reasoning_content ?? ''
  t.match(whole.choices[0]?.message, { content: 'So' })
  t.not(thought, '')
  for (const include_reasoning of [true, undefined]) {
    const stream = await client.chat.completions.create({
      model: own.id,
      messages,
      stream: true,
      include_reasoning
    } as OpenAI.ChatCompletionCreateParamsStreaming)
    const deltas = (await Array.fromAsync(stream)).map(
      ({ choices }) => choices[0]?.delta as { content?: string; reasoning_content?: string }
    )
    t.equal(deltas.map((it) => it?.reasoning_content ?? '').join(''), include_reasoning ? thought : '')
    t.equal(deltas.map((it) => it?.content ?? '').join(''), 'So')
  }
})

t.test('references stand for items of the caller’s stored responses', async (t) => {
  const respond = (input: unknown[], by = client, fields: object = {}) =>
    by.responses.create({ model: agent.id, input: input as never, ...fields })
  const user = (content: string) => ({ role: 'user', content })
  const first = await respond([user('One')])
  const reference = { type: 'item_reference', id: first.output[0]?.id as string }
  const second = await respond([user('One'), reference, user('Two')])
  t.match(
    (asked().messages as Message[]).map(({ role, content }) => [role, content]),
    [
      ['user', 'One'],
      ['assistant', 'Fine'],
      ['user', 'Two']
    ]
  )
  await respond([user('One'), { id: reference.id }, user('Two')])
  const items = await client.responses.inputItems.list(second.id)
  t.match(
    items.data.map(({ type }) => type),
    ['message', 'message', 'message']
  )

  const caller = await ada.agent(scripted('tool=weather&args={"place":"Turin"}&text=Rain'))
  const ask = { model: caller.id, tools: [weatherTool] }
  const called = await respond([user('Weather?')], client, ask)
  const call = called.output.find((it) => it.type === 'function_call') as { id: string; call_id: string }
  const result = { type: 'function_call_output', call_id: call.call_id, output: 'Wet' }
  const done = await respond([user('Weather?'), { type: 'item_reference', id: call.id }, result], client, ask)
  t.equal(done.output_text, 'Rain')

  const unstored = await respond([user('One')], client, { store: false })
  const own = await official(url, ada)
  for (const [id, by] of [
    ['msg_nonsense', own],
    ['rs_1_2', own],
    [`${reference.id}7`, own],
    [unstored.output[0]?.id as string, own]
  ] as const)
    t.match(await refusal(respond([user('One'), { type: 'item_reference', id }], by)), {
      status: 404,
      param: 'input[1]',
      message: new RegExp(`${id}.* not found`)
    })
  const hers = await as('eve').agent(scripted('text=Mine'))
  t.match(await refusal(respond([reference, user('Two')], eve, { model: hers.id })), { status: 404 })
})

t.test('embeddings are those of the project’s model', async (t) => {
  const created = await client.embeddings.create({ model: 'default', input: ['one', 'three'] })
  t.match(created, { object: 'list', model: 'default', usage: { prompt_tokens: 3 } })
  t.same(
    created.data.map(({ embedding, index }) => [index, [...embedding]]),
    [
      [0, [1, 0, 0]],
      [1, [1, 0, 0]]
    ]
  )
  const float = { input: 'one', encoding_format: 'float' } as const
  for (const model of ['small', 'openai/small'])
    t.same((await client.embeddings.create({ model, ...float })).data[0]?.embedding, [1, 0, 0])
  const ask = (fields: object, by = client) =>
    refusal(by.embeddings.create({ model: 'default', input: 'one', ...fields } as never))
  t.match(await ask({ model: 'text-embedding-ada-002' }), { status: 404, code: 'model_not_found' })
  t.match(await ask({ input: [] }), { status: 400, param: 'input' })
  t.match(await ask({ input: [[1, 2, 3]] }), { status: 400, param: 'input[0]' })
  t.match(await ask({ input: '' }), { status: 400, param: 'input' })
  t.match(await ask({ dimensions: 2 }), { status: 400, param: 'dimensions' })
  t.match(await ask({ input: 'x'.repeat(1_000_001) }), { status: 400, param: 'input' })
  const reader = await official(url, as('reader', { scopes: ['agents:read'] }))
  t.match(await ask({}, reader), { status: 403, code: 'scope_missing' })
})
