// budget: 9 s, because the official client is loaded, and models behind HTTP answer it
import { once } from 'node:events'
import t from 'tap'
import { scripted, stage } from '../../../test/model-stage.ts'
import { official, refusal, weatherTool } from './testbed.ts'

const { booted, server, ada } = await stage(t, { packs: ['openai'] })
const { url, as, platform } = booted
const client = await official(url, ada)
const eve = await official(url, as('eve'))
const agent = await ada.agent(scripted('text=Hello there, Ada'))
const asked = () => server.requests.at(-1)?.body
const words = () => asked()?.messages.map(({ role, content }) => [role, content])
const sessionOf = async (responseId: string) =>
  (await platform.knex('openai.exchange').where({ id: responseId }).first('sessionId')).sessionId

t.test('a response is what the agent answers, and is kept', async (t) => {
  const made = await client.responses.create({
    model: agent.id,
    input: 'Hi',
    instructions: 'Be brief',
    metadata: { topic: 'greetings' },
    max_output_tokens: 50
  })
  t.match(made, {
    id: /^resp_[0-9a-z]{26}$/,
    object: 'response',
    status: 'completed',
    model: agent.id,
    instructions: 'Be brief',
    metadata: { topic: 'greetings' },
    output_text: 'Hello there, Ada',
    output: [{ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text' }] }],
    usage: { output_tokens: 3 }
  })
  t.same(words(), [
    ['system', 'Be brief'],
    ['user', 'Hi']
  ])
  t.match(await client.responses.retrieve(made.id), { ...made, output_text: 'Hello there, Ada' })
  const items = await Array.fromAsync(client.responses.inputItems.list(made.id))
  t.match(items, [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }])
  await booted.settled()
  t.match(await platform.knex('kernel.fact').where({ name: 'openai.response_stored', subject: made.id }), [
    { owner: 'ada' }
  ])
})

t.test('its events are streamed, and can be followed from any of them', async (t) => {
  const stream = await client.responses.create({ model: agent.id, input: 'Hi', stream: true })
  const events = await Array.fromAsync(stream)
  t.same(
    events.map((it) => it.sequence_number),
    events.map((_, index) => index)
  )
  const types = events.map(({ type }) => type).filter((type) => type !== 'response.output_text.delta')
  t.same(types, [
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.content_part.added',
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.completed'
  ])
  const text = events.map((it) => (it.type === 'response.output_text.delta' ? it.delta : '')).join('')
  t.equal(text, 'Hello there, Ada')
  const { response } = events.at(-1) as { response: { id: string; usage: unknown } }
  t.match(response.usage, { output_tokens: 3 })
  const again = await client.responses.retrieve(response.id, { stream: true, starting_after: 3 })
  t.same(await Array.fromAsync(again), events.slice(4), 'they are told again alike')
  const helper = client.responses.stream({ model: agent.id, input: 'Hi' })
  t.equal((await helper.finalResponse()).output_text, 'Hello there, Ada')
})

t.test('one goes on from another, in its session, or beside it', async (t) => {
  const first = await client.responses.create({ model: agent.id, input: 'One' })
  const go = (previous: string, input: string) =>
    client.responses.create({ model: agent.id, input, previous_response_id: previous })
  const second = await go(first.id, 'Two')
  t.equal(second.previous_response_id, first.id)
  const said = [
    ['user', 'One'],
    ['assistant', 'Hello there, Ada'],
    ['user', 'Two']
  ]
  t.same(words(), said)
  t.equal(await sessionOf(second.id), await sessionOf(first.id))
  const beside = await go(first.id, 'Other')
  t.same(words(), [...said.slice(0, 2), ['user', 'Other']], 'what came after the first is not known to it')
  t.not(await sessionOf(beside.id), await sessionOf(first.id))
  await go(beside.id, 'Three')
  t.equal(words()?.length, 5)

  t.match(await refusal(go('resp_01k4qz0000e0080000000000ab', 'x')), {
    status: 404,
    param: 'previous_response_id'
  })
  t.match(
    await refusal(eve.responses.create({ model: agent.id, input: 'x', previous_response_id: first.id })),
    { status: 403, param: 'model' }
  )
  const other = await ada.agent(scripted('text=x'))
  t.match(
    await refusal(client.responses.create({ model: other.id, input: 'x', previous_response_id: first.id })),
    { status: 400, param: 'previous_response_id' }
  )
})

t.test('functions of the client are called by it', async (t) => {
  const own = await ada.agent(scripted('tool=weather&args={"place":"Turin"}&text=Rain'))
  const ask = { model: own.id, tools: [weatherTool] }
  const first = await client.responses.create({ ...ask, input: 'And the weather?' })
  t.match(first, {
    status: 'completed',
    output: [{ type: 'function_call', name: 'weather', arguments: '{"place":"Turin"}', call_id: /^call_/ }]
  })
  const { call_id } = first.output[0] as { call_id: string }
  const given = { type: 'function_call_output' as const, call_id, output: 'It rains' }
  const go = (input: never) => client.responses.create({ ...ask, input, previous_response_id: first.id })
  t.match(await refusal(go('Well?' as never)), { status: 400, message: /No tool output found/ })
  t.match(await refusal(go([{ ...given, call_id: 'call_x' }] as never)), { status: 400, param: 'input' })
  const second = await go([given] as never)
  t.equal(second.output_text, 'Rain')
  t.match(JSON.stringify(asked()?.messages.at(-1)), /It rains/)
  t.equal(await sessionOf(second.id), await sessionOf(first.id))
  t.match(
    await client.responses.retrieve(first.id),
    { output: [{ type: 'function_call' }] },
    'the first stays as it was'
  )
  t.match(await refusal(go([given] as never)), { status: 400 })

  const stateless = await client.responses.create({ ...ask, input: 'And the weather?', store: false })
  const call = stateless.output[0] as { call_id: string }
  const input = [
    { type: 'message', role: 'user', content: 'And the weather?' },
    ...stateless.output,
    { ...given, call_id: call.call_id }
  ]
  const answered = await client.responses.create({ ...ask, input: input as never, store: false })
  t.equal(answered.output_text, 'Rain')
  const events = await Array.fromAsync(
    await client.responses.create({ ...ask, input: 'Once more', stream: true })
  )
  t.match(
    events.map(({ type }) => type).filter((type) => /function_call/.test(type)),
    ['response.function_call_arguments.delta', 'response.function_call_arguments.done']
  )
  const both = (events.at(-1) as { response: { id: string; output: { call_id: string }[] } }).response
  const more = await client.responses.create({
    ...ask,
    previous_response_id: both.id,
    input: [
      { ...given, call_id: both.output[0]?.call_id as string },
      { role: 'user', content: 'And tomorrow?' }
    ]
  })
  t.equal(more.status, 'completed', 'with more to say it goes on in a session of its own')
  t.match(
    asked()
      ?.messages.map(({ role }) => role)
      .slice(-5),
    ['user', 'assistant', 'tool', 'assistant', 'user']
  )
})

t.test('it goes on in the background, and is cancelled', async (t) => {
  const slow = await ada.agent(scripted('endless=1&delay=5'))
  const made = await client.responses.create({ model: slow.id, input: 'Hi', background: true })
  t.match(made, { status: 'in_progress', background: true, output: [], usage: null })
  for await (const event of await client.responses.retrieve(made.id, { stream: true }))
    if (event.type === 'response.output_text.delta') break
  t.match(await client.responses.retrieve(made.id), {
    status: 'in_progress',
    output: [{ status: 'in_progress' }]
  })
  t.match(await refusal(eve.responses.cancel(made.id)), { status: 403 })
  t.match(
    await refusal(client.responses.create({ model: slow.id, input: 'x', previous_response_id: made.id })),
    { status: 409, code: 'previous_response_in_progress' }
  )
  const left = once(server.events, 'left')
  t.match(await client.responses.cancel(made.id), { status: 'cancelled' })
  await left
  t.match(await client.responses.cancel(made.id), { status: 'cancelled' }, 'again')
  t.match(
    await refusal(client.responses.create({ model: slow.id, input: 'x', background: true, store: false })),
    { status: 400, param: 'background' }
  )
  const done = await client.responses.create({ model: agent.id, input: 'Hi' })
  t.match(await client.responses.cancel(done.id), { status: 'completed' })
})

t.test('what is stored is deleted, with its session', async (t) => {
  const first = await client.responses.create({ model: agent.id, input: 'One' })
  const second = await client.responses.create({
    model: agent.id,
    input: 'Two',
    previous_response_id: first.id
  })
  const sessionId = await sessionOf(first.id)
  t.match(await refusal(eve.responses.delete(first.id)), { status: 403 })
  t.match(await refusal(eve.responses.retrieve(first.id)), { status: 403 })
  t.match(await ada.delete(`/v1/responses/${first.id}`), {
    status: 200,
    body: { id: first.id, object: 'response', deleted: true }
  })
  t.match(await refusal(client.responses.retrieve(first.id)), { status: 404, type: 'invalid_request_error' })
  t.match(await ada.get(`/v1/sessions/${sessionId}`), { status: 200 })
  await client.responses.delete(second.id)
  t.match(await ada.get(`/v1/sessions/${sessionId}`), { status: 404 })
  const unstored = await client.responses.create({ model: agent.id, input: 'x', store: false })
  t.match(await refusal(client.responses.retrieve(unstored.id)), { status: 404 })
  t.match(
    await refusal(
      client.responses.create({ model: agent.id, input: 'x', previous_response_id: unstored.id })
    ),
    { status: 404, param: 'previous_response_id' }
  )
})

t.test('bad requests name what is wrong', async (t) => {
  const ask = (fields: object) =>
    refusal(client.responses.create({ model: agent.id, input: 'x', ...fields } as never))
  t.match(await ask({ input: [] }), { status: 400, param: 'input' })
  t.match(await ask({ input: [{ type: 'computer_call' }] }), { status: 400, param: 'input[0].type' })
  t.match(await ask({ tools: [{ type: 'web_search' }] }), { status: 400, param: 'tools[0].type' })
  t.match(await ask({ metadata: { a: 1 } }), { status: 400, param: /^metadata/ })
  t.match(await ask({ conversation: 'conv_1' }), { status: 400, code: 'unsupported_parameter' })
  t.match(await ask({ model: 'gpt-5' }), { status: 404, code: 'model_not_found', param: 'model' })
  t.match(await ask({ text: { format: { type: 'json_schema', name: 'x', schema: { type: 'no' } } } }), {
    status: 400,
    param: /^text\.format\.schema/
  })
})

t.test('a repeated request with an Idempotency-Key returns the same failure', async (t) => {
  const cancel = () =>
    ada.request('POST', '/v1/responses/resp_01k4qz0000e0080000000000ab/cancel', {
      headers: { 'idempotency-key': 'cancel-once' }
    })
  const first = await cancel()
  t.match(first, { status: 404, body: { error: { message: 'Response not found', param: null } } })
  const again = await cancel()
  t.equal(again.headers.get('idempotency-replayed'), 'true')
  t.same([again.status, again.body], [404, first.body])
})

t.test('a response has every field of the Open Responses schema, as it was asked', async (t) => {
  const required =
    'id object created_at completed_at status incomplete_details model previous_response_id instructions output error tools tool_choice truncation parallel_tool_calls text top_p presence_penalty frequency_penalty top_logprobs temperature reasoning user usage max_output_tokens max_tool_calls store background service_tier metadata safety_identifier prompt_cache_key'
  const plain = await client.responses.create({ model: agent.id, input: 'Hi' })
  for (const name of required.split(' ')) t.ok(name in plain, name)
  t.match(plain, { temperature: 1, top_p: 1, presence_penalty: 0, frequency_penalty: 0, top_logprobs: 0 })
  t.match(plain, { parallel_tool_calls: true, truncation: 'disabled', max_tool_calls: null })
  t.ok((plain as { completed_at?: number }).completed_at)
  const fields = {
    parallel_tool_calls: false,
    truncation: 'auto' as const,
    max_tool_calls: 3,
    prompt_cache_key: 'k',
    safety_identifier: 's',
    temperature: 0.5,
    reasoning: { effort: 'low' as const }
  }
  const told = await client.responses.create({ model: agent.id, input: 'Hi', ...fields })
  t.match(told, fields)
  t.match(await client.responses.retrieve(told.id), fields, 'also when it is read again')
  const stream = await client.responses.create({ model: agent.id, input: 'Hi', stream: true, ...fields })
  const last = (await Array.fromAsync(stream)).at(-1)
  t.match(last, { type: 'response.completed', response: { ...fields, completed_at: Number } })
  t.match(
    await refusal(client.responses.create({ model: agent.id, input: 'Hi', truncation: 'odd' as 'auto' })),
    {
      ...{ status: 400, param: 'truncation' }
    }
  )
})
