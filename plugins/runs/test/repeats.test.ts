import t from 'tap'
import {
  ANSWER,
  eventsOf,
  listen,
  local,
  messagesOf,
  RUN,
  run,
  STREAM,
  saying,
  scripted,
  stage,
  streamed
} from './testbed.ts'

const { booted, server, ada } = await stage(t)
const agent = await ada.agent(scripted('text=Only once'))
const key = (name: string) => ({ 'idempotency-key': name })
const reused = { status: 409, body: { error: { type: 'conflict_error', code: 'idempotency_key_reused' } } }

t.test('a repeated run is answered with the first one', async (t) => {
  const before = server.stats.requests
  const first = await run(ada, agent, 'Hello', {}, key('a'))
  const second = await run(ada, agent, 'Hello', {}, key('a'))
  t.equal(first.headers.get('idempotency-replayed'), null)
  t.equal(second.headers.get('idempotency-replayed'), 'true')
  t.equal(second.status, 200)
  t.same(second.body, first.body)
  t.equal(second.headers.get('x-run-id'), first.body.data.id)
  const reordered = { messages: [{ content: 'Hello', role: 'user' }], agentId: agent.id }
  t.same((await ada.post(RUN, reordered, key('a'))).body, first.body, 'in whatever order its fields are')
  t.equal(server.stats.requests, before + 1, 'the model was asked once')
  t.equal((await messagesOf(ada, first.body.data.sessionId)).length, 2)
})

t.test('and so is its stream, from the beginning, by either of the two routes', async (t) => {
  const first = await streamed(ada, agent, 'Hello', {}, key('b'))
  const again = await streamed(ada, agent, 'Hello', {}, key('b'))
  t.equal(again.text, first.text)
  t.equal(again.events[0]?.seq, 0)
  t.equal(again.headers.get('idempotency-replayed'), 'true')
  const whole = await run(ada, agent, 'Hello', {}, key('b'))
  t.match(whole.body.data, { id: first.runId, status: 'completed', content: 'Only once' })
  const { id: runId } = (await run(ada, agent, 'Hello', {}, key('c'))).body.data
  t.equal((await streamed(ada, agent, 'Hello', {}, key('c'))).runId, runId)
})

t.test('a run that goes on is attached to', async (t) => {
  const slow = await ada.agent(local)
  const body = saying(slow, '/wait 5\n/repeat 20 word')
  const stream = await listen(booted, ada, STREAM, body, key('d'))
  await stream.until('token')
  const [attached, answer] = await Promise.all([
    ada.post(STREAM, body, key('d')),
    ada.post(RUN, body, key('d'))
  ])
  t.same(eventsOf(attached.text), await stream.rest())
  t.match(answer.body.data, { id: stream.runId, status: 'completed' })
})

t.test('ten at once make one run', async (t) => {
  const before = server.stats.requests
  const both = [RUN, STREAM, RUN, STREAM, RUN, STREAM, RUN, STREAM, RUN, STREAM]
  const replies = await Promise.all(both.map((path) => ada.post(path, saying(agent, 'Hello'), key('e'))))
  for (const reply of replies) t.equal(reply.status, 200)
  t.equal(new Set(replies.map(({ headers }) => headers.get('x-run-id'))).size, 1)
  t.equal(replies.filter(({ headers }) => headers.get('idempotency-replayed') === null).length, 1)
  t.equal(new Set(replies.filter(({ body }) => body === undefined).map(({ text }) => text)).size, 1)
  t.equal(server.stats.requests, before + 1)
  const sessionId = replies[0]?.body.data.sessionId
  t.equal((await messagesOf(ada, sessionId)).length, 2)
  const inIt = await Promise.all(
    both.map((path) => ada.post(path, saying(agent, 'Again', { sessionId }), key('f')))
  )
  t.equal(new Set(inIt.map(({ headers }) => headers.get('x-run-id'))).size, 1, 'in a session as well')
  t.equal((await messagesOf(ada, sessionId)).length, 4)
})

t.test('a key stands for one body and one caller', async (t) => {
  await run(ada, agent, 'Hello', {}, key('g'))
  t.match(await run(ada, agent, 'Goodbye', {}, key('g')), reused)
  t.match(await streamed(ada, agent, 'Goodbye', {}, key('g')), reused)
  t.match(await run(ada, agent, 'Hello', { cliContext: 'x' }, key('g')), reused)
  const eve = booted.as('eve')
  const hers = await eve.agent(local)
  t.match(await run(eve, hers, 'Hello', {}, key('g')), { status: 200, body: { data: { agentId: hers.id } } })
  const bot = booted.as('bot', { type: 'service' })
  const own = await bot.agent(local)
  const runs = ['fay', 'gus', 'fay'].map(
    (initiator) => () => run(bot, own, 'Hello', {}, { ...key('g'), 'x-initiator': initiator })
  )
  const ids: string[] = []
  for (const ask of runs) ids.push((await ask()).body.data.id)
  t.equal(ids[0], ids[2])
  t.not(ids[0], ids[1], 'no matter for whom a service acts')
})

t.test('a repeated answer is answered as the first one was', async (t) => {
  const digger = await ada.agent(local)
  const { id: runId, pending } = (await run(ada, digger, '/call dig {}', { cliTools: [{ name: 'dig' }] }))
    .body.data
  const answer = { runId, callId: pending[0].callId, output: 'dug' }
  const first = await ada.post(ANSWER, answer, key('j'))
  const again = await ada.post(ANSWER, answer, key('j'))
  t.match([first.status, again.status], [200, 200])
  t.equal(again.headers.get('idempotency-replayed'), 'true')
  t.equal(again.text, first.text)
  t.match(await ada.post(ANSWER, answer, key('k')), { status: 409 })
})

t.test('what was refused is no first run, nor is what failed', async (t) => {
  const fields = { cliTools: [{ name: 'a' }, { name: 'a' }] }
  t.match(await run(ada, agent, 'Hello', fields, key('h')), { status: 400 })
  t.match(await run(ada, agent, 'Hello', {}, key('h')), { status: 200 })
  const failing = await ada.agent(local)
  const first = await run(ada, failing, '/fail 400', {}, key('i'))
  const again = await run(ada, failing, '/fail 400', {}, key('i'))
  t.match([first.status, again.status], [400, 400])
  t.equal(again.headers.get('idempotency-replayed'), null, 'it is tried again')
  const ids = [first, again].map(({ headers }) => headers.get('x-run-id'))
  t.ok(ids[0] && ids[1])
  t.not(ids[0], ids[1])
  const busy = await ada.agent(scripted('status=400'))
  t.match(await run(ada, busy, 'Hello', {}, key('l')), { status: 400 })
  await ada.put(`/v1/agents/${busy.id}`, scripted('text=Through'))
  const through = await run(ada, busy, 'Hello', {}, key('l'))
  t.match(through, { status: 200, body: { data: { content: 'Through' } } })
  const replayed = await run(ada, busy, 'Hello', {}, key('l'))
  t.equal(replayed.body.data.id, through.body.data.id, 'and kept once it went well')
})
