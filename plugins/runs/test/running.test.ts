import t from 'tap'
import { askedLast, local, messagesOf, RUN, run, scripted, stage, streamed } from './testbed.ts'

const { booted, server, ada } = await stage(t)

t.test('an agent answers, in a new session that keeps what was said', async (t) => {
  const agent = await ada.agent(scripted('text=Good morning'))
  const reply = await run(ada, agent, 'Hello')
  t.equal(reply.status, 200)
  const { id: runId, sessionId, createdAt, endedAt, ...rest } = reply.body.data
  t.match([runId, sessionId], [/^run_[0-9a-z]{26}$/, /^session_[0-9a-z]{26}$/])
  t.same(rest, {
    owner: 'ada',
    agentId: agent.id,
    status: 'completed',
    content: 'Good morning',
    finishReason: 'stop',
    citations: [],
    fallbacks: [],
    usage: { inputTokens: 2, cachedTokens: 0, outputTokens: 2 },
    error: null,
    pending: []
  })
  t.ok(createdAt <= endedAt)
  t.equal(reply.headers.get('x-run-id'), runId)
  t.same((await ada.get(`/v1/agents/runs/${runId}`)).body.data, reply.body.data)
  t.match((await ada.get(`/v1/sessions/${sessionId}`)).body.data, {
    agentId: agent.id,
    owner: ada.id,
    initiator: ada.id
  })
  t.match(await messagesOf(ada, sessionId), [
    { role: 'user', content: 'Hello', runId },
    { role: 'assistant', content: 'Good morning', runId }
  ])
})

t.test('messages are appended to the session that is given', async (t) => {
  const agent = await ada.agent(scripted('reply=echo'))
  const { body } = await run(ada, agent, 'one')
  const { sessionId } = body.data
  const messages = [
    { role: 'assistant', content: 'an aside' },
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'two' }
  ]
  const reply = await ada.post(RUN, { agentId: agent.id, sessionId, messages })
  t.match(reply.body.data, { sessionId, content: 'two' })
  t.same(
    (await messagesOf(ada, sessionId)).map(({ role, content }) => `${role}: ${content}`),
    ['user: one', 'assistant: one', 'assistant: an aside', 'system: Be kind.', 'user: two', 'assistant: two']
  )
  t.same(
    askedLast(server).messages.map(({ role, content }) => `${role}: ${content}`),
    ['system: Be kind.', 'user: one', 'assistant: one\n\nan aside', 'user: two'],
    'the model is told all of it'
  )
})

t.test('a session that was made for an agent is used by its first run', async (t) => {
  const agent = await ada.agent(local)
  const { body } = await ada.post('/v1/sessions', { agentId: agent.id, title: 'Tea' })
  const reply = await run(ada, agent, 'Hello', { sessionId: body.data.id })
  t.equal(reply.body.data.sessionId, body.data.id)
  t.equal((await messagesOf(ada, body.data.id)).length, 2)
})

t.test(
  'instructions, the always-on context and the caller’s reach the model, and its settings',
  async (t) => {
    const agent = await ada.agent({
      ...scripted(),
      instructions: 'You are a gardener.',
      temperature: 0.5,
      maxTokens: 77
    })
    await ada.put(`/v1/agents/${agent.id}/knowledgebase`, { content: 'Roses need sun.' })
    const messages = [
      { role: 'system', content: 'Answer in rhyme.' },
      { role: 'user', content: 'Hello' }
    ]
    const cliTools = [
      { name: 'dig', description: 'Digs a hole', parameters: { type: 'object', required: ['depth'] } },
      { name: 'rest' }
    ]
    await ada.post(RUN, { agentId: agent.id, messages, cliContext: 'It rains.', cliTools })
    const { temperature, max_tokens, messages: told, tools } = askedLast(server)
    t.match({ temperature, max_tokens }, { temperature: 0.5, max_tokens: 77 })
    t.same(told.slice(1), [{ role: 'user', content: 'Hello' }])
    t.match(told[0], {
      role: 'system',
      content:
        /^You are a gardener\.\n\nRoses need sun\.\n\nAnswer in rhyme\.\n\nIt rains\.\n\nWhat tools return.*$/
    })
    t.match(tools, [
      { function: { name: 'dig', description: 'Digs a hole', parameters: { required: ['depth'] } } },
      { function: { name: 'rest', parameters: { type: 'object' } } }
    ])
    await run(ada, agent, 'Again')
    t.notOk('tools' in askedLast(server), 'only of that run')
    t.notMatch(JSON.stringify(askedLast(server).messages), /rains/)
  }
)

t.test('what an agent became counts from the next run on', async (t) => {
  const agent = await ada.agent({ ...scripted('text=before'), instructions: 'Be brief.' })
  const { sessionId } = (await run(ada, agent, 'Hello')).body.data
  await ada.put(`/v1/agents/${agent.id}`, { ...scripted('text=after'), instructions: 'Be long.' })
  t.equal((await run(ada, agent, 'Hello', { sessionId })).body.data.content, 'after')
  t.match(askedLast(server).messages[0], { role: 'system', content: 'Be long.' })
})

t.test('what needs a pack that is off is refused, by its name; what needs none works', async (t) => {
  const agent = await ada.agent(local)
  const fine = [
    { provenance: { mode: 'off' } },
    { provenance: { mode: 'metadata', onchain: false } },
    { provenance: {} },
    { attachments: [] },
    { computerRequest: { enabled: false } }
  ]
  for (const fields of fine) t.match(await run(ada, agent, 'Hello', fields), { status: 200 })
  const off: [object, string, RegExp][] = [
    [{ provenance: { mode: 'full' } }, '/provenance', /provenance/],
    [{ provenance: { onchain: true } }, '/provenance', /provenance/],
    [{ attachments: [{ fileId: 'file_1' }] }, '/attachments', /files/],
    [{ computerRequest: { enabled: true } }, '/computerRequest', /computers/]
  ]
  for (const [fields, param, message] of off)
    for (const ask of [run, streamed])
      t.match(await ask(ada, agent, 'Hello', fields), {
        status: 503,
        body: { error: { type: 'service_unavailable', code: 'capability_missing', param, message } }
      })
})

t.test('without its model an agent makes no run', async (t) => {
  const { platform } = booted
  const count = async () => {
    const { rows } = await platform.knex.raw(
      'select (select count(*) from runs.run) runs, (select count(*) from sessions.session) sessions'
    )
    return rows[0]
  }
  const before = await count()
  for (const model of [{ modelProvider: 'anthropic' }, { modelProvider: 'google', modelId: 'x' }]) {
    const agent = await ada.agent(model)
    const reply = await run(ada, agent, 'Hello')
    t.match(reply, { status: 503, body: { error: { code: 'model_not_configured' } } })
    t.equal(reply.headers.get('x-run-id'), null)
    t.match(await streamed(ada, agent, 'Hello'), { status: 503 })
  }
  t.same(await count(), before)
})
