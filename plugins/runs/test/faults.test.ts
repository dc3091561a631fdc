import { once } from 'node:events'
import type { Test } from 'tap'
import t from 'tap'
import {
  askedOf,
  messagesOf,
  puppetStage,
  run,
  scripted,
  stage,
  streamed,
  textOf,
  tool,
  typesOf
} from './testbed.ts'

const { server, ada } = await stage(t, { env: { RUN_MODEL_RETRIES: '1', RUN_MAX_CHARACTERS: '5000' } })

/** By both routes: how the run ends, and how often the model was asked for it. */
async function failing(t: Test, script: string, status: number, code: string) {
  const agent = await ada.agent(scripted(script))
  const { events, runId } = await streamed(ada, agent, 'Hello')
  const asked = askedOf(server, scripted(script)).length
  const end = events.at(-1)
  t.match(end, { type: 'error', code, message: String })
  t.same(Object.keys(end ?? {}).sort(), ['at', 'code', 'message', 'runId', 'seq', 'type'])
  t.equal(typesOf(events).filter((type) => type === 'agent_step').length, 1)
  const { body } = await ada.get(`/v1/agents/runs/${runId}`)
  t.match(body.data, { status: 'failed', error: { code, message: end?.message }, pending: [] })
  t.equal(body.data.content ?? '', textOf(events))
  t.match(
    (await messagesOf(ada, body.data.sessionId)).map(({ role }) => role),
    ['user'],
    'what was not finished is no message'
  )
  const reply = await run(ada, agent, 'Hello')
  t.match(reply, { status, body: { error: { code, message: end?.message } } })
  t.match(reply.headers.get('x-run-id'), /^run_/)
  t.not(reply.headers.get('x-run-id'), runId)
  return { asked, events, reply }
}

t.test('a model that fails once is asked again, and nothing is double', async (t) => {
  const faults = ['status=500', 'status=503', 'status=429', 'status=429&retryAfter=0', 'cutAt=0']
  const once = async (fault: string) => {
    const model = scripted(`text=All is well&${fault}&times=1&run=${fault.replaceAll('&', '+')}`)
    const { events, runId } = await streamed(ada, await ada.agent(model), 'Hello')
    t.equal(askedOf(server, model).length, 2, fault)
    t.equal(events.at(-1)?.content, 'All is well')
    t.equal(textOf(events), 'All is well')
    t.equal(typesOf(events).filter((type) => type === 'agent_step').length, 1)
    const { body } = await ada.get(`/v1/agents/runs/${runId}`)
    t.match(body.data.usage, { outputTokens: 3 })
    t.equal((await messagesOf(ada, body.data.sessionId)).length, 2)
  }
  await Promise.all(faults.map(once))
})

t.test('how long a provider asks to wait is waited', async (t) => {
  const agent = await ada.agent(scripted('text=fine&status=429&retryAfter=1&times=1'))
  const times: number[] = []
  const note = () => times.push(performance.now())
  server.events.on('request', note)
  t.match(await run(ada, agent, 'Patience'), { status: 200 })
  server.events.off('request', note)
  const [first = 0, second = 0] = times
  t.equal(times.length, 2)
  t.ok(second - first >= 990, 'not less than it asked for')
})

t.test('a model that fails each time ends the run', async (t) => {
  const { asked, reply } = await failing(t, 'status=500', 502, 'model_error')
  t.equal(asked, 2)
  t.match(reply.body.error, { type: 'upstream_error', message: /500/ })
})

t.test('what another try does not mend is not tried again', async (t) => {
  for (const [status, code] of [
    [400, 'model_request_rejected'],
    [401, 'model_unauthorized'],
    [404, 'model_not_found'],
    [413, 'context_exceeded']
  ] as const) {
    const { asked, reply } = await failing(t, `status=${status}`, 400, code)
    t.equal(asked, 1)
    t.match(reply.body.error.message, new RegExp(`\\(${status}\\): Scripted ${status}`))
  }
})

t.test('a reply that breaks off is not told twice', async (t) => {
  for (const [fault, status, code] of [
    ['cutAt=3', 502, 'model_cut_off'],
    ['errorAt=3', 503, 'model_overloaded']
  ] as const) {
    const { asked, events } = await failing(t, `numbered=1&tokens=9&${fault}`, status, code)
    t.equal(asked, 1)
    t.equal(textOf(events), 't0 t1 t2 ')
  }
})

t.test('what is no reply at all ends the run', async (t) => {
  for (const rubbish of ['1', 'html', 'json', 'huge']) {
    const code = rubbish === 'huge' ? 'reply_too_large' : 'model_malformed'
    const { events } = await failing(t, `rubbish=${rubbish}`, 502, code)
    t.equal(textOf(events), '', rubbish)
  }
})

t.test('a reply without end is cut', async (t) => {
  const left = once(server.events, 'left')
  const { events, reply } = await failing(t, 'text=word &endless=1', 502, 'output_limit')
  await left
  const text = textOf(events)
  t.ok(text.length >= 5_000 && text.length < 10_000, `${text.length} characters`)
  t.equal(reply.body.error.type, 'upstream_error')
})

t.test('an empty reply is a reply, and so is a cut one', async (t) => {
  const brief = await ada.agent(scripted('text=cut off here&finish=length'))
  t.match((await run(ada, brief, 'Hello')).body.data, {
    ...{ status: 'completed', content: 'cut off here', finishReason: 'length' }
  })
})

t.test('estimates usage that a model does not report, and marks it', async (t) => {
  const { ada, play, booted } = await puppetStage(t)
  play.tools = () => [tool('look', async () => ({ output: 'blue' }))]
  const silent = await ada.agent(scripted('tool=look&tokens=70&usage=0'))
  const { data } = (await run(ada, silent, 'a'.repeat(350))).body
  t.match(data, { status: 'completed', usage: { cachedTokens: 0, estimated: true } })
  const { inputTokens, outputTokens } = data.usage
  t.ok(inputTokens > 200, `${inputTokens}: the message twice, and the tool`)
  t.ok(outputTokens > 60, `${outputTokens}`)
  const fact = await booted.platform
    .knex('kernel.fact')
    .where({ subject: data.id, name: 'runs.completed' })
    .first()
  t.match(fact.data.steps, [{ estimated: true }, { estimated: true }])

  const telling = await ada.agent(scripted('text=all'))
  t.notOk('estimated' in (await run(ada, telling, 'Hello')).body.data.usage)
})

t.test('a model that is silent for too long is left', async (t) => {
  const { server, ada } = await stage(t, { env: { RUN_IDLE_SECONDS: '3' } })
  const hangs: [string, string][] = [
    ['hang=headers', ''],
    ['hang=body', ''],
    ['hang=body&hangAt=3&numbered=1', 't0 t1 t2 ']
  ]
  const hang = async ([script, said]: [string, string]) => {
    const agent = await ada.agent(scripted(script))
    const [told, reply] = await Promise.all([streamed(ada, agent, 'Hello'), run(ada, agent, 'Hello')])
    t.match(told.events.at(-1), { type: 'error', code: 'model_timeout', message: /3 s/ })
    t.equal(textOf(told.events), said)
    t.match(reply, { status: 504, body: { error: { type: 'upstream_timeout', code: 'model_timeout' } } })
  }
  const slow = await ada.agent(scripted('tokens=16&delay=250&numbered=1'))
  const [{ status }] = await Promise.all([run(ada, slow, 'Hello'), ...hangs.map(hang)])
  t.equal(status, 200, 'one that says something now and then is not')
  while (server.stats.left < 6) await once(server.events, 'left')
  t.equal(server.stats.active, 0)
})
