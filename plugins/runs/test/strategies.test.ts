import t from 'tap'
import { crowd, many } from './crowd-testbed.ts'
import { listen, local, messagesOf, run, STREAM, saying, scripted, streamed } from './testbed.ts'

const { booted, ada, asked, echo, emptySession, flood, consistent } = await crowd(t)

t.test('rejected runs are refused while there is another', async (t) => {
  const sessionId = await emptySession()
  asked.most = 0
  const { replies, completed } = await flood(t, sessionId, () => 'reject')
  const refused = replies.filter(({ status }) => status !== 200)
  t.ok(completed.length >= 1)
  t.equal(completed.length + refused.length, many.length)
  for (const reply of refused)
    t.match(reply, { status: 409, body: { error: { type: 'conflict_error', code: 'session_busy' } } })
  t.equal(asked.most, 1)
  t.equal((await consistent(t, sessionId)).length, 2 * completed.length)
  t.match(await run(ada, echo, 'now', { sessionId, multitaskStrategy: 'reject' }), { status: 200 })
})

t.test('a run that interrupts ends those before it, and what they said stays', async (t) => {
  const sessionId = await emptySession()
  const { completed, cancelled } = await flood(t, sessionId, () => 'interrupt')
  t.equal(completed.length + cancelled.length, many.length)
  const last = await booted.platform
    .knex('runs.run')
    .where({ sessionId })
    .orderBy('place', 'desc')
    .first('id')
  t.ok(
    completed.some(({ runId }) => runId === last.id),
    'the last one is not interrupted'
  )
  const messages = await consistent(t, sessionId)
  for (const { runId } of completed) t.equal(messages.filter((message) => message.runId === runId).length, 2)

  const slow = await ada.agent(local)
  const first = await listen(booted, ada, STREAM, saying(slow, '/wait 20\n/repeat 10000 word'))
  const { sessionId: other } = await first.until('run_started')
  await first.until('token')
  const next = await run(ada, slow, 'Stop', { sessionId: other, multitaskStrategy: 'interrupt' })
  t.match(next.body.data, { status: 'completed', content: 'You said: Stop' })
  t.equal((await first.rest()).at(-1)?.type, 'cancelled')
  const { content } = (await ada.get(`/v1/agents/runs/${first.runId}`)).body.data
  t.match(content, /^word/)
  t.same(
    (await messagesOf(ada, String(other))).slice(1).map((message) => message.content),
    [content, 'Stop', 'You said: Stop']
  )
})

t.test('a run that rolls back ends those before it, and takes back what they said', async (t) => {
  const sessionId = await emptySession()
  const { completed, cancelled } = await flood(t, sessionId, () => 'rollback')
  t.equal(completed.length + cancelled.length, many.length)
  const messages = await consistent(t, sessionId)
  const gone = new Set(cancelled.map(({ runId }) => runId))
  t.same(
    messages.filter(({ runId }) => gone.has(runId)),
    []
  )

  const slow = await ada.agent(local)
  const before = await run(ada, slow, 'Keep this')
  const { sessionId: other } = before.body.data
  const first = await listen(
    booted,
    ada,
    STREAM,
    saying(slow, '/wait 20\n/repeat 10000 word', { sessionId: other })
  )
  await first.until('token')
  const queued = await listen(booted, ada, STREAM, saying(slow, 'Me too', { sessionId: other }))
  await queued.until('queued')
  const next = await run(ada, slow, 'Anew', { sessionId: other, multitaskStrategy: 'rollback' })
  t.match(next.body.data, { status: 'completed', content: 'You said: Anew' })
  for (const stream of [first, queued]) t.equal((await stream.rest()).at(-1)?.type, 'cancelled')
  t.same(
    (await messagesOf(ada, other)).map(({ content }) => content),
    ['Keep this', 'You said: Keep this', 'Anew', 'You said: Anew']
  )
})

t.test('a run that ends for another reason is taken back if the record says so by then', async (t) => {
  const slow = await ada.agent(local)
  const first = await listen(booted, ada, STREAM, saying(slow, '/wait 20\n/repeat 10000 word'))
  const { sessionId } = await first.until('run_started')
  await first.until('token')
  // As another instance notes it, whose word has not come here yet.
  await booted.platform.knex('runs.run').where({ id: first.runId }).update({ cancelledFor: 'rollback' })
  t.match(await ada.post(`/v1/agents/runs/${first.runId}/cancel`), { status: 200 })
  t.equal((await first.rest()).at(-1)?.type, 'cancelled')
  t.same(await messagesOf(ada, String(sessionId)), [])
})

t.test('whichever caller comes when, with whatever strategy, a session stays whole', async (t) => {
  const quick = await ada.agent(scripted('reply=echo'))
  const sessionId = await emptySession(quick)
  const strategies = ['enqueue', 'interrupt', 'rollback', 'reject']
  const talk = async (who: number) => {
    for (let turn = 0; turn < 8; turn++) {
      const content = `${who}: ${turn}`
      const multitaskStrategy = strategies[(who + turn) % 4]
      const { status, events } = await streamed(ada, quick, content, { sessionId, multitaskStrategy })
      if (status === 409) continue
      const end = events.at(-1)
      if (end?.type !== 'cancelled') t.match(end, { type: 'final', content })
    }
  }
  await Promise.all(many.slice(0, 8).map((_, who) => talk(who)))
  const messages = await consistent(t, sessionId)
  const back = { sessionId, cancelledFor: 'rollback' }
  const gone: string[] = await booted.platform.knex('runs.run').where(back).pluck('id')
  t.same(
    messages.filter(({ runId }) => gone.includes(runId)),
    []
  )
  t.match(await run(ada, quick, 'And now?', { sessionId }), { status: 200 })
})
