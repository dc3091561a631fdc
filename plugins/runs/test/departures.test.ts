import { once } from 'node:events'
import t from 'tap'
import {
  ANSWER,
  askedLast,
  listen,
  local,
  puppetStage,
  RUN,
  run,
  runOnce,
  STREAM,
  saying,
  scripted,
  tool
} from './testbed.ts'

const { booted, server, ada, play } = await puppetStage(t)
const cliTools = [{ name: 'dig' }]
const talking = scripted('text=word &tokens=100000&delay=5')

/** Runs of an agent in every state: one that goes on, one behind it, one that waits, one that has ended. */
async function runsOf(agent: { id: string }) {
  const going = await listen(booted, ada, STREAM, saying(agent, 'Go on'))
  const { sessionId } = await going.until('run_started')
  await going.until('token')
  const queued = await listen(booted, ada, STREAM, saying(agent, 'Me too', { sessionId }))
  await queued.until('queued')
  return { going, queued, sessionId }
}

const gone = (runId: string) => runOnce(ada, runId, ({ status }) => status === 404)

t.test('the runs of a session that is deleted are cancelled, and go with it', async (t) => {
  const agent = await ada.agent(talking)
  const { going, queued, sessionId } = await runsOf(agent)
  const left = once(server.events, 'left')
  t.match(await ada.delete(`/v1/sessions/${sessionId}`), { status: 200 })
  for (const stream of [going, queued]) t.equal((await stream.rest()).at(-1)?.type, 'cancelled')
  await left
  for (const { runId } of [going, queued]) {
    await gone(runId)
    t.match(await ada.post(`/v1/agents/runs/${runId}/stream`), { status: 404 })
    t.match(await ada.post(`/v1/agents/runs/${runId}/cancel`), { status: 404 })
  }
  t.match(await run(ada, agent, 'Hello', { sessionId }), {
    status: 404,
    body: { error: { param: '/sessionId' } }
  })
  const { platform } = booted
  t.same(await platform.knex('sessions.message').where({ sessionId }), [], 'nothing was said into it')
  t.same(await platform.knex('kernel.stream_chunk').whereIn('stream', [going.runId, queued.runId]), [])
})

t.test('also one that waits for its caller, and one that has ended', async (t) => {
  const agent = await ada.agent(local)
  const ended = (await run(ada, agent, 'Hello')).body.data
  const { sessionId } = ended
  const waiting = (await run(ada, agent, '/call dig {}', { sessionId, cliTools })).body.data
  t.equal(waiting.status, 'waiting')
  const stream = await listen(booted, ada, `/v1/agents/runs/${waiting.id}/stream`)
  await stream.until('waiting')
  await ada.delete(`/v1/sessions/${sessionId}`)
  t.equal((await stream.rest()).at(-1)?.type, 'cancelled')
  for (const { id: runId } of [ended, waiting]) await gone(runId)
  const answer = { runId: waiting.id, callId: waiting.pending[0].callId, output: 1 }
  t.match(await ada.post(ANSWER, answer), { status: 404, body: { error: { param: '/runId' } } })
  t.same(await booted.platform.knex('runs.call').where({ runId: waiting.id }), [])
  t.same(await booted.platform.knex('jobs.wait').where({ subject: waiting.id, settledAt: null }), [])
})

t.test('the runs of an agent that is deleted are cancelled, and go with it', async (t) => {
  const agent = await ada.agent(talking)
  const { going, queued } = await runsOf(agent)
  const waitingFor = run(ada, agent, 'Another')
  await once(server.events, 'request')
  t.match(await ada.delete(`/v1/agents/${agent.id}`), { status: 200 })
  for (const stream of [going, queued]) t.equal((await stream.rest()).at(-1)?.type, 'cancelled')
  t.match((await waitingFor).status, /404|409/)
  t.match(await run(ada, agent, 'Hello'), { status: 404, body: { error: { param: '/agentId' } } })
  for (const { runId } of [going, queued]) await gone(runId)
  t.same(await booted.platform.knex('runs.run').where({ agentId: agent.id }), [])
})

t.test('a tool that is at work while its agent is deleted keeps nothing alive', async (t) => {
  const agent = await ada.agent(local)
  const called = Promise.withResolvers<AbortSignal>()
  play.tools = () => [
    tool('delete', async ({ signal }) => {
      called.resolve(signal)
      await once(signal, 'abort')
      return { output: 'too late' }
    })
  ]
  const stream = await listen(booted, ada, STREAM, saying(agent, '/call delete {}'))
  await called.promise
  await ada.delete(`/v1/agents/${agent.id}`)
  t.equal((await stream.rest()).at(-1)?.type, 'cancelled')
  await gone(stream.runId)
})

t.test('an agent that is changed while its run waits goes on as it is then', async (t) => {
  const agent = await ada.agent({ ...scripted('tool=dig&text=ok'), instructions: 'Be brief.' })
  const { id: runId, pending } = (await run(ada, agent, 'Dig', { cliTools })).body.data
  t.match(askedLast(server).messages[0], { content: 'Be brief.' })
  await ada.put(`/v1/agents/${agent.id}`, { instructions: 'Be long.', ...scripted('text=as told') })
  await ada.post(ANSWER, { runId, callId: pending[0].callId, output: 'dug' })
  const { body } = await runOnce(ada, runId, ({ body }) => body.data.endedAt !== null)
  t.match(body.data, { status: 'completed', content: 'as told' })
  t.match(askedLast(server).messages, [
    { role: 'system', content: 'Be long.' },
    { role: 'user', content: 'Dig' },
    { role: 'assistant' },
    { role: 'tool', content: 'dug' }
  ])
})

t.test('an agent that is changed between two steps leaves the run whole', async (t) => {
  const agent = await ada.agent(local)
  play.tools = () => [
    tool('rename', async () => {
      const { status } = await ada.put(`/v1/agents/${agent.id}`, { name: 'Another', instructions: 'New.' })
      return { output: status }
    })
  ]
  const reply = await ada.post(RUN, saying(agent, '/call rename {}\n/then\n/say Done'))
  t.match(reply, { status: 200, body: { data: { status: 'completed', content: 'Done' } } })
})
