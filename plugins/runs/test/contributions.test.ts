import { forbidden, markUntrusted, paymentRequired } from 'agent-platform'
import t from 'tap'
import type { RunInfo } from '../contract.ts'
import {
  askedLast,
  local,
  messagesOf,
  puppetStage,
  run,
  scripted,
  streamed,
  textOf,
  tool,
  typesOf
} from './testbed.ts'

const { booted, server, ada, play } = await puppetStage(t)
t.afterEach(() => {
  for (const part of Object.keys(play)) delete play[part as keyof typeof play]
})

async function count(): Promise<unknown> {
  const { rows } = await booted.platform.knex.raw(
    `select (select count(*) from runs.run) runs, (select count(*) from sessions.session) sessions,
      (select count(*) from sessions.message) messages, (select count(*) from kernel.fact) facts,
      (select count(*) from kernel.stream_chunk) chunks`
  )
  return rows[0]
}

t.test('what packs know of a run stands in its prompt', async (t) => {
  const agent = await ada.agent({ ...scripted('text=ok'), instructions: 'Be brief.' })
  const inputs: [RunInfo, string][] = []
  play.context = async (run, input) => {
    inputs.push([run, input])
    return 'It is Monday.'
  }
  const { body } = await run(ada, agent, 'Which day is it?', { cliContext: 'In Rome.' })
  t.equal(askedLast(server).messages[0]?.content, 'Be brief.\n\nIt is Monday.\n\nIn Rome.')
  const { id, sessionId } = body.data
  t.match(inputs, [[{ id, sessionId, agentId: agent.id, owner: ada.id }, 'Which day is it?']])
  play.context = async () => undefined
  await run(ada, agent, 'Hello')
  t.equal(askedLast(server).messages[0]?.content, 'Be brief.')
})

t.test('a call knows whether the prompt that it came from held what is not to be trusted', async (t) => {
  const agent = await ada.agent({ ...scripted('tool=look&args={}&text=ok') })
  const seen: boolean[] = []
  play.tools = () => [
    tool('look', async ({ untrusted }) => {
      seen.push(untrusted)
      return { output: 'Looked' }
    })
  ]
  const { sessionId } = (await run(ada, agent, 'Look')).body.data
  await run(ada, agent, 'Look again', { sessionId })
  t.same(seen, [false, true], 'the result of the first stood in the prompt of the second')
  play.context = async () => markUntrusted('From elsewhere')
  await run(ada, agent, 'Look')
  t.same(seen.slice(2), [true])
  t.match(
    askedLast(server).messages[0]?.content,
    /^<untrusted>\nFrom elsewhere\n<\/untrusted>\n\nWhat tools return/
  )
})

t.test('a gate refuses a run before anything is made', async (t) => {
  const agent = await ada.agent(scripted('text=ok'))
  const before = await count()
  const asked = server.stats.requests
  const seen: RunInfo[] = []
  play.admit = async (run) => {
    seen.push(run)
    throw paymentRequired('No credit is left', { code: 'credits_exhausted' })
  }
  const refused = {
    status: 402,
    body: { error: { type: 'payment_required', code: 'credits_exhausted', message: 'No credit is left' } }
  }
  for (const ask of [run, streamed]) {
    const reply = await ask(ada, agent, 'Hello')
    t.match(reply, refused)
    t.equal(reply.headers.get('x-run-id'), null)
  }
  t.match(seen, [{ agentId: agent.id, project: 'default', by: { id: ada.id } }, {}])
  t.same(await count(), before)
  t.equal(server.stats.requests, asked)
  play.admit = async () => {
    throw new Error('secret detail')
  }
  const broken = await run(ada, agent, 'Hello')
  t.match(broken, { status: 500, body: { error: { type: 'api_error' } } })
  t.notMatch(broken.text, /secret detail/)
  t.same(await count(), before)
})

t.test('and a step in the middle', async (t) => {
  const agent = await ada.agent(local)
  play.tools = () => [tool('look', async () => ({ output: 'found' }))]
  const steps = new Map<string, number>()
  play.step = async ({ id }) => {
    const step = (steps.get(id) ?? 0) + 1
    steps.set(id, step)
    if (step === 2) throw paymentRequired('The cap is reached', { code: 'cap_reached' })
  }
  const script = '/say Let me see\n/call look {}'
  const { events, runId } = await streamed(ada, agent, script)
  t.same(typesOf(events), [
    'run_started',
    'status',
    'agent_step',
    'token',
    'status',
    'toolStart',
    'toolEnd',
    'error'
  ])
  t.match(events.at(-1), { code: 'cap_reached', message: 'The cap is reached' })
  t.equal(textOf(events, 'commentary'), 'Let me see')
  const { data } = (await ada.get(`/v1/agents/runs/${runId}`)).body
  t.match(data, { status: 'failed', error: { code: 'cap_reached' } })
  t.ok(data.usage.outputTokens > 0, 'the step before counts')
  t.equal((await messagesOf(ada, data.sessionId)).length, 3, 'what was called is kept')
  const reply = await run(ada, agent, script)
  t.match(reply, { status: 402, body: { error: { type: 'payment_required', code: 'cap_reached' } } })
  t.match(reply.headers.get('x-run-id'), /^run_/)

  play.step = async () => {
    throw forbidden('Not today')
  }
  t.match((await streamed(ada, agent, 'Hello')).events.at(-1), {
    type: 'error',
    code: 'permission_error',
    message: 'Not today'
  })
})

const breaks = async () => {
  throw new Error('secret detail')
}

t.test(
  'what an answer cites stands in its last event and in the run, however many end at once',
  async (t) => {
    const agent = await ada.agent({ ...scripted('tool=look&args={}&text=It is so [1].') })
    play.tools = () => [tool('look', async () => ({ output: 'found' }))]
    play.cite = async ({ id: title }, content) =>
      content === 'It is so [1].'
        ? [
            {
              n: 1,
              spaceId: null,
              documentId: null,
              version: null,
              start: 2,
              end: 9,
              page: null,
              title,
              url: null
            }
          ]
        : []
    const one = await streamed(ada, agent, 'Look')
    const { citations } = one.events.at(-1) as unknown as { citations: object[] }
    t.match(citations, [{ n: 1, start: 2, end: 9, title: one.runId }])
    t.same((await ada.get(`/v1/agents/runs/${one.runId}`)).body.data.citations, citations)

    const many = await Promise.all(Array.from({ length: 12 }, (_, n) => run(ada, agent, `Look ${n}`)))
    for (const { body } of many) {
      t.match(body.data.citations, [{ title: body.data.id }])
      const kept = (await ada.get(`/v1/agents/runs/${body.data.id}`)).body.data
      t.same(kept, body.data)
    }

    play.cite = breaks
    const without = await streamed(ada, agent, 'Look')
    t.match(without.events.at(-1), { type: 'final', content: 'It is so [1].', citations: undefined })
    t.match((await ada.get(`/v1/agents/runs/${without.runId}`)).body.data, {
      status: 'completed',
      citations: []
    })
  }
)

t.test('a run goes on without the context that cannot be had', async (t) => {
  const agent = await ada.agent(local)
  play.context = breaks
  const { events, text } = await streamed(ada, agent, 'Hello')
  delete play.context
  t.match(events.at(-1), { type: 'final', content: 'You said: Hello' })
  t.notMatch(text, /secret detail/)
})

t.test('what a gate breaks ends the run, without a word of why', async (t) => {
  const agent = await ada.agent(local)
  play.step = breaks
  const { events, text, runId } = await streamed(ada, agent, 'Hello')
  t.match(events.at(-1), { type: 'error', code: 'internal', message: 'The run failed' })
  t.notMatch(text, /secret detail/)
  t.match((await ada.get(`/v1/agents/runs/${runId}`)).body.data, { error: { code: 'internal' } })
  const reply = await run(ada, agent, 'Hello')
  t.match(reply, { status: 500, body: { error: { type: 'api_error' } } })
  t.match(reply.headers.get('x-run-id'), /^run_/)
})

t.test('a pack serves a part of the body, or refuses it', async (t) => {
  const agent = await ada.agent(local)
  const computerRequest = { enabled: true }
  const seen: RunInfo[] = []
  play.computer = (run) => void seen.push(run)
  t.match(await run(ada, agent, 'Hello', { computerRequest: { enabled: false } }), { status: 200 })
  t.equal(seen.length, 0)
  const { body } = await run(ada, agent, 'Hello', { computerRequest })
  t.match(seen, [{ id: body.data.id, sessionId: body.data.sessionId, by: { id: ada.id } }])
  const before = await count()
  play.computer = () => {
    throw forbidden('Not your computer', { param: '/computerRequest' })
  }
  t.match(await run(ada, agent, 'Hello', { computerRequest }), {
    status: 403,
    body: { error: { param: '/computerRequest', message: 'Not your computer' } }
  })
  t.same(await count(), before)
})
