// budget: 9 s, because three vendors' clients are loaded, and models behind HTTP answer
import type { ServerResponse } from 'node:http'
import t from 'tap'
import { events, modelServer } from '../../../test/models.ts'
import { askedLast, askedOf, puppetStage, run, scripted, streamed, tool } from './testbed.ts'

const anthropicText = [
  {
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-5-5',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 12, output_tokens: 1 }
    }
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello.' } },
  { type: 'content_block_stop', index: 0 },
  {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: 2 }
  },
  { type: 'message_stop' }
]
const googleText = [
  {
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'Hello.' }] }, finishReason: 'STOP' }]
  }
]
/** Says the mood wrongly until it is told so. */
const mood = (body: unknown) => {
  const text = JSON.stringify(body).includes('Repeat it as') ? '{"mood":"calm"}' : 'I am calm'
  return [{ candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }] }]
}
const vendors = await modelServer(t, (reply: ServerResponse, { path, body }) => {
  const said = path.includes('gemini-mood') ? mood(body) : googleText
  events(reply, path.includes('messages') ? anthropicText : said)
})
const { server, ada, eve, play } = await puppetStage(t, {
  env: {
    ANTHROPIC_BASE_URL: vendors.url,
    ANTHROPIC_API_KEY: 'key-of-operator',
    GOOGLE_GENERATIVE_AI_BASE_URL: vendors.url,
    GOOGLE_GENERATIVE_AI_API_KEY: 'key-of-operator'
  }
})
const look = () => [
  tool('look', async () => ({ output: 'seen' })),
  tool('count', async () => ({ output: 7 }))
]
const options = {
  topP: 0.75,
  stop: ['\nObservation:'],
  seed: 11,
  reasoning: 'low',
  parallelToolCalls: false
}
const everything = ['temperature', 'maxTokens', 'seed', 'stop', 'providerOptions', 'toolChoice', 'maxSteps']

t.test('options of an agent reach a server of chat completions', async (t) => {
  play.tools = look
  const model = scripted('text=Fine')
  const agent = await ada.agent({
    ...model,
    temperature: 0.5,
    maxTokens: 64,
    options: {
      ...options,
      toolChoice: { tool: 'count' },
      providerOptions: { 'openai-compatible': { top_k: 40, model: 'another' }, anthropic: { speed: 'fast' } }
    }
  })
  t.match((await run(ada, agent, 'Hi')).body.data, { status: 'completed', content: 'Fine' })
  t.match(askedLast(server), {
    model: model.modelId,
    temperature: 0.5,
    max_tokens: 64,
    top_p: 0.75,
    stop: ['\nObservation:'],
    seed: 11,
    reasoning_effort: 'low',
    parallel_tool_calls: false,
    top_k: 40,
    tool_choice: { type: 'function', function: { name: 'count' } }
  })
  t.notOk('speed' in askedLast(server), 'options of another vendor stay away')
})

t.test('options of an agent reach Anthropic in its own form', async (t) => {
  play.tools = look
  const agent = await ada.agent({
    modelProvider: 'anthropic',
    modelId: 'claude-sonnet-4-5',
    maxTokens: 2_000,
    options: { ...options, reasoning: undefined, toolChoice: 'required' }
  })
  t.match((await run(ada, agent, 'Hi')).body.data, { status: 'completed', content: 'Hello.' })
  t.match(vendors.asked.at(-1)?.body, {
    max_tokens: 2_000,
    top_p: 0.75,
    stop_sequences: ['\nObservation:'],
    tool_choice: { type: 'any', disable_parallel_tool_use: true }
  })
  const thinking = await ada.agent({
    modelProvider: 'anthropic',
    modelId: 'claude-sonnet-4-5',
    maxTokens: 4_000,
    options: { reasoningTokens: 3_000, providerOptions: { anthropic: { sendReasoning: false } } }
  })
  await run(ada, thinking, 'Hi')
  t.match(vendors.asked.at(-1)?.body, { thinking: { type: 'enabled', budget_tokens: 3_000 } })
})

t.test('options of an agent reach Google in its own form', async (t) => {
  play.tools = look
  const agent = await ada.agent({
    modelProvider: 'google',
    modelId: 'gemini-2.5-flash',
    maxTokens: 99,
    options: {
      ...options,
      reasoningTokens: 512,
      toolChoice: { tool: 'look' },
      providerOptions: { google: { threshold: 'BLOCK_NONE' } }
    }
  })
  t.match((await run(ada, agent, 'Hi')).body.data, { status: 'completed', content: 'Hello.' })
  const { body } = vendors.asked.at(-1) as { body: Record<string, { functionCallingConfig?: object }> }
  t.match(body, {
    generationConfig: {
      topP: 0.75,
      stopSequences: ['\nObservation:'],
      seed: 11,
      maxOutputTokens: 99,
      thinkingConfig: { thinkingBudget: 512 }
    },
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['look'] } }
  })
  t.match(body.safetySettings, [{ threshold: 'BLOCK_NONE' }])
})

t.test('a caller sets options of its run, within those that the agent lets callers set', async (t) => {
  delete play.tools
  const model = scripted('text=Fine')
  const agent = await ada.agent({ ...model, maxTokens: 50, options: { seed: 1, stop: ['A'] } })
  const given = { temperature: 0.1, maxTokens: 500, stop: ['B'], topP: 0.5 }
  t.match(await run(ada, agent, 'Hi', { options: given }), { status: 200 })
  t.match(askedLast(server), { temperature: 0.1, max_tokens: 50, stop: ['B'], top_p: 0.5, seed: 1 })
  await run(ada, agent, 'Hi')
  t.match(askedLast(server), { max_tokens: 50, stop: ['A'], seed: 1 })
  const bespoke = { options: { providerOptions: { 'openai-compatible': { top_k: 3 } } } }
  t.match(await run(ada, agent, 'Hi', bespoke), {
    status: 403,
    body: { error: { code: 'option_not_allowed', param: '/options/providerOptions' } }
  })
  const open = await ada.agent({ ...model, options: { callerOptions: everything } })
  t.match(await run(ada, open, 'Hi', bespoke), { status: 200 })
  t.match(askedLast(server), { top_k: 3 })
  t.match(await run(ada, open, 'Hi', { options: { topP: 0.5 } }), {
    status: 403,
    body: { error: { code: 'option_not_allowed', param: '/options/topP' } }
  })
  const closed = await ada.agent({ ...model, options: { callerOptions: [] } })
  t.match(await run(ada, closed, 'Hi', { options: { temperature: 1 } }), { status: 403 })
  t.match(await run(eve, open, 'Hi', { options: { temperature: 1 } }), {
    status: 403,
    body: { error: { code: 'not_owner' } }
  })
  t.match(await run(ada, { id: 'agent_nobody' }, 'Hi', { options: { seed: 1 } }), { status: 404 })
})

t.test('refuses options of a run that are not valid', async (t) => {
  const agent = await ada.agent({ ...scripted('text=Fine'), options: { callerOptions: everything } })
  const deep = { 'openai-compatible': { text: 'x'.repeat(20_000) } }
  for (const [given, param] of [
    [{ temperature: 3 }, '/options/temperature'],
    [{ stop: ['a', 'b', 'c', 'd', 'e'] }, '/options/stop'],
    [{ surprise: 1 }, '/options/surprise'],
    [{ toolChoice: 'sometimes' }, '/options/toolChoice'],
    [{ providerOptions: deep }, '/options/providerOptions']
  ] as const)
    t.match(await run(ada, agent, 'Hi', { options: given }), { status: 400, body: { error: { param } } })
  const free = await ada.agent(scripted('text=Fine'))
  for (const schema of [{ type: 'thing' }, { type: 'object', properties: 1 }])
    t.match(await run(ada, free, 'Hi', { options: { responseFormat: { type: 'json', schema } } }), {
      status: 400,
      body: { error: { param: /^\/options\/responseFormat\/schema/ } }
    })
})

t.test('a forced call is forced until it is made', async (t) => {
  play.tools = look
  const model = scripted('tool=look&args={}&text=Done&run=forced')
  const agent = await ada.agent({ ...model, options: { toolChoice: 'required' } })
  t.match((await run(ada, agent, 'Look')).body.data, { status: 'completed', content: 'Done' })
  t.same(
    askedOf(server, model).map(({ tool_choice }) => tool_choice),
    ['required', 'auto']
  )
  t.match((await run(ada, agent, 'Hi', { options: { toolChoice: { tool: 'dance' } } })).body.error, {
    code: 'tool_not_found'
  })
  delete play.tools
  t.match((await run(ada, agent, 'Hi')).body.error, { code: 'tool_not_found' })
  t.match((await run(ada, agent, 'Hi', { options: { toolChoice: 'none' } })).status, 200)
})

t.test('a run ends at the steps and the time of its agent and of its caller', async (t) => {
  play.tools = look
  const agent = await ada.agent({
    ...scripted('tool=look&args={}&text=Done&run=limits'),
    options: { maxSteps: 5 }
  })
  t.match((await run(ada, agent, 'Look', { options: { maxSteps: 1 } })).body.error, {
    code: 'step_limit',
    message: /more than 1 steps/
  })
  t.match((await run(ada, agent, 'Look', { options: { maxSteps: 50 } })).status, 200)
  const slow = await ada.agent({ ...scripted('ttft=5000&text=Done'), options: { maxSeconds: 1 } })
  t.match((await run(ada, slow, 'Look', { options: { maxSeconds: 60 } })).body.error, {
    code: 'run_timeout',
    message: /longer than 1 s/
  })
  delete play.tools
})

t.test('an answer that is not in the format is asked for once more', async (t) => {
  const schema = { type: 'object', properties: { mood: { enum: ['calm'] } }, required: ['mood'] }
  const responseFormat = { type: 'json', schema }
  const wrong = scripted('text={"mood":"wild"}&run=wrong')
  const agent = await ada.agent({ ...wrong, options: { responseFormat } })
  const failed = await streamed(ada, agent, 'How are you?')
  t.match(failed.events.at(-1), { type: 'error', code: 'response_format_mismatch' })
  const asked = askedOf(server, wrong)
  t.equal(asked.length, 2, 'once more, and not again')
  t.match(asked[0]?.response_format, { type: 'json_schema', json_schema: { schema } })
  t.match(asked[1]?.messages.at(-2), { role: 'assistant', content: '{"mood":"wild"}' })
  t.match(asked[1]?.messages.at(-1), { role: 'user', content: /does not match the schema: \/mood/ })

  const loose = scripted('text=Well&run=loose')
  const text = await ada.agent({ ...loose, options: { responseFormat } })
  t.match((await run(ada, text, 'Hi', { options: { responseFormat: { type: 'text' } } })).body.data, {
    status: 'completed',
    content: 'Well'
  })
  t.equal(askedOf(server, loose).length, 1)
  await run(ada, text, 'Hi', { options: { responseFormat: { type: 'json' } } })
  t.same(askedLast(server).response_format, { type: 'json_object' })
})

t.test('readers are told that an answer in the wrong format does not count', async (t) => {
  const schema = { type: 'object', properties: { mood: { enum: ['calm'] } }, required: ['mood'] }
  const agent = await ada.agent({ modelProvider: 'google', modelId: 'gemini-mood' })
  const { events, runId } = await streamed(ada, agent, 'How are you?', {
    options: { responseFormat: { type: 'json', schema } }
  })
  const [wrong, right] = events.filter(({ type }) => type === 'token')
  t.match([wrong?.content, right?.content], ['I am calm', '{"mood":"calm"}'])
  t.match(
    events.find(({ status }) => status === 'restarted'),
    { supersedes: { from: wrong?.seq, to: wrong?.seq } }
  )
  t.match(events.at(-1), { type: 'final', content: '{"mood":"calm"}' })
  t.match((await ada.get(`/v1/agents/runs/${runId}`)).body.data, { content: '{"mood":"calm"}' })
})
