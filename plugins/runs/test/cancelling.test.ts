import { once } from 'node:events'
import t from 'tap'
import {
  ANSWER,
  listen,
  local,
  messagesOf,
  run,
  STREAM,
  saying,
  scripted,
  stage,
  streamed,
  textOf,
  typesOf
} from './testbed.ts'

let tries = 0
const { booted, server, ada } = await stage(t, {
  // Says with its words how many tokens they took, as some servers do; breaks off at first, and then falls silent.
  respond({ body }, response) {
    if (!body.model.includes('reports')) return
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const usage = { prompt_tokens: 6, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 2 } }
    const delta = tries++ === 0 ? {} : { content: 'Well' }
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta }], usage })}\n\n`)
    if (tries === 1) setTimeout(() => response.destroy(), 50)
  }
})
const cancel = (runId: string, who = ada) => who.post(`/v1/agents/runs/${runId}/cancel`)
const ended = { status: 409, body: { error: { type: 'conflict_error', code: 'already_ended' } } }
const talker = await ada.agent(scripted('text=word &tokens=100000&delay=5'))
const silent = await ada.agent(scripted('hang=headers'))

t.test('a run that goes on is cancelled, and the model left alone', async (t) => {
  const stream = await listen(booted, ada, STREAM, saying(talker, 'Go on'))
  await stream.until('token')
  const left = once(server.events, 'left')
  const { status, body } = await cancel(stream.runId)
  await left
  t.equal(status, 200)
  t.match(body.data, { id: stream.runId, status: 'cancelled', error: null, pending: [], endedAt: String })
  const events = await stream.rest()
  t.match(events.at(-1), { type: 'cancelled', runId: stream.runId, seq: events.length - 1 })
  t.equal(body.data.content, textOf(events), 'what was said until then is kept')
  const { inputTokens, outputTokens } = body.data.usage
  t.ok(
    inputTokens > 0 && outputTokens >= body.data.content.length / 4,
    'what its provider does not tell is guessed'
  )
  t.match(await messagesOf(ada, body.data.sessionId), [
    { role: 'user', content: 'Go on' },
    { role: 'assistant', content: body.data.content }
  ])
  t.match(await cancel(stream.runId), { status: 200, body: { data: { status: 'cancelled' } } }, 'once more')
})

t.test('what the provider reported until then is counted, also of tries that failed', async (t) => {
  const agent = await ada.agent(scripted('reports=1'))
  const stream = await listen(booted, ada, STREAM, saying(agent, 'Go on'))
  await stream.until('token')
  const { body } = await cancel(stream.runId)
  t.match(body.data, { status: 'cancelled', content: 'Well' })
  t.same(body.data.usage, { inputTokens: 12, cachedTokens: 4, outputTokens: 2 }, 'of both tries')
  await booted.settled()
  const fact = await booted.platform
    .knex('kernel.fact')
    .where({ subject: stream.runId, name: 'runs.cancelled' })
    .first()
  t.match(fact.data.steps, [
    { inputTokens: 6, outputTokens: 1 },
    { inputTokens: 6, outputTokens: 1 }
  ])
})

t.test('a run whose model says nothing is cancelled', async (t) => {
  const asked = once(server.events, 'request')
  const stream = await listen(booted, ada, STREAM, saying(silent, 'Hello'))
  await asked
  const left = once(server.events, 'left')
  const { body } = await cancel(stream.runId)
  await left
  t.match(body.data, { status: 'cancelled', content: null })
  t.same(typesOf(await stream.rest()), ['run_started', 'status', 'agent_step', 'cancelled'])
  t.equal((await messagesOf(ada, body.data.sessionId)).length, 1)
})

t.test('a caller that waits for a run that is cancelled is told so', async (t) => {
  const agent = await ada.agent(scripted('hang=headers'))
  const waiting = run(ada, agent, 'Hello')
  const sessions = async () => (await ada.get(`/v1/sessions/agent/${agent.id}`)).body.data
  let [session] = await sessions()
  // Its model may be asked before it is in the record.
  while (!session) [session] = await sessions()
  const runId = (await messagesOf(ada, session.id))[0]?.runId ?? ''
  await cancel(runId)
  const reply = await waiting
  t.match(reply, { status: 409, body: { error: { type: 'conflict_error', code: 'run_cancelled' } } })
  t.equal(reply.headers.get('x-run-id'), runId)
})

t.test('a run that is queued is cancelled, and was never begun', async (t) => {
  const first = await listen(booted, ada, STREAM, saying(talker, 'First'))
  const { sessionId } = await first.until('run_started')
  const second = await listen(booted, ada, STREAM, saying(talker, 'Second', { sessionId }))
  await second.until('queued')
  t.match((await ada.get(`/v1/agents/runs/${second.runId}`)).body.data, { status: 'queued', content: null })
  const third = await listen(booted, ada, STREAM, saying(talker, 'Third', { sessionId }))
  await third.until('queued')
  t.match((await cancel(second.runId)).body.data, { status: 'cancelled', content: null })
  t.same(typesOf(await second.rest()), ['run_started', 'status', 'cancelled'])
  await cancel(first.runId)
  t.equal((await first.rest()).at(-1)?.type, 'cancelled')
  await third.until('token')
  await cancel(third.runId)
  const said = (await messagesOf(ada, String(sessionId))).filter(({ role }) => role === 'user')
  t.same(
    said.map(({ content }) => content),
    ['First', 'Third'],
    'its messages were never said'
  )
})

t.test('a run that waits for its caller is cancelled, and the answer comes too late', async (t) => {
  const agent = await ada.agent(local)
  const { body } = await run(ada, agent, '/call dig {}', { cliTools: [{ name: 'dig' }] })
  const { id: runId, pending } = body.data
  t.match((await cancel(runId)).body.data, { status: 'cancelled', pending: [] })
  const answer = { runId, callId: pending[0].callId, output: 1 }
  t.match(await ada.post(ANSWER, answer), { status: 409 })
  const events = await (await listen(booted, ada, `/v1/agents/runs/${runId}/stream`)).rest()
  t.same(typesOf(events), [
    'run_started',
    'status',
    'agent_step',
    'toolStart',
    'cli_tool_request',
    'status',
    'cancelled'
  ])
  const next = await run(ada, agent, 'Hello', { sessionId: body.data.sessionId })
  t.match(next, { status: 200 }, 'the session is free')
})

t.test('what has ended cannot be cancelled', async (t) => {
  const agent = await ada.agent(local)
  const completed = await streamed(ada, agent, 'Hello')
  t.match(await cancel(completed.runId), ended)
  const failed = await streamed(ada, agent, '/fail 400')
  t.match(await cancel(failed.runId), ended)
  t.match((await ada.get(`/v1/agents/runs/${failed.runId}`)).body.data, {
    status: 'failed',
    error: { code: 'model_request_rejected', message: String }
  })
  t.match(await cancel(completed.runId, booted.as('eve')), { status: 403 })
})

t.test('many cancellations at once end a run once', async (t) => {
  const stream = await listen(booted, ada, STREAM, saying(talker, 'Go on'))
  await stream.until('token')
  const replies = await Promise.all(Array.from({ length: 10 }, () => cancel(stream.runId)))
  for (const reply of replies) t.match(reply, { status: 200, body: { data: { status: 'cancelled' } } })
  const ends = (await stream.rest()).filter(({ type }) => type === 'cancelled')
  t.equal(ends.length, 1)
})
