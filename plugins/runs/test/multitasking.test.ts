import t from 'tap'
import { crowd, many } from './crowd-testbed.ts'
import { listen, local, messagesOf, run, STREAM, saying, scripted, stage, streamed } from './testbed.ts'

const { booted, ada, asked, emptySession, flood, consistent } = await crowd(t)

t.test('enqueued runs follow each other, each with its own reply', async (t) => {
  const sessionId = await emptySession()
  asked.most = 0
  const { completed } = await flood(t, sessionId, () => 'enqueue')
  t.equal(completed.length, many.length)
  t.equal(asked.most, 1, 'one at a time')
  const messages = await consistent(t, sessionId)
  t.equal(messages.length, 2 * many.length)
  for (const [index, { role, content }] of messages.entries()) {
    t.equal(role, index % 2 ? 'assistant' : 'user')
    if (index % 2) t.equal(content, messages[index - 1]?.content)
  }
  const order = await booted.platform.knex('runs.run').where({ sessionId }).orderBy('place').pluck('id')
  t.same(
    messages.filter(({ role }) => role === 'user').map(({ runId }) => runId),
    order,
    'in the order in which they were accepted'
  )
})

t.test('a run that comes while another one ends is answered to what it brought', async (t) => {
  const quick = await ada.agent(scripted('reply=echo'))
  const sessionId = await emptySession(quick)
  const talk = async (letter: string) => {
    for (let turn = 0; turn < 60; turn++) {
      const content = `${letter}${turn}`
      t.equal((await run(ada, quick, content, { sessionId })).body.data?.content, content)
    }
  }
  await Promise.all(['a', 'b'].map(talk))
  t.equal((await consistent(t, sessionId)).length, 240)
})

t.test('first come, first served', async (t) => {
  const slow = await ada.agent(local)
  const first = await listen(booted, ada, STREAM, saying(slow, '/wait 20\n/repeat 20 word'))
  const { sessionId } = await first.until('run_started')
  const waiting: Awaited<ReturnType<typeof listen>>[] = []
  for (const content of many.slice(0, 10)) {
    const stream = await listen(booted, ada, STREAM, saying(slow, content, { sessionId }))
    await stream.until('queued')
    waiting.push(stream)
  }
  for (const stream of [first, ...waiting]) t.equal((await stream.rest()).at(-1)?.type, 'final')
  const said = (await messagesOf(ada, String(sessionId))).filter(({ role }) => role === 'user')
  t.same(said.map(({ content }) => content).slice(1), many.slice(0, 10))
})

t.test('only so many may wait', async (t) => {
  const { booted, ada } = await stage(t, { env: { RUN_MAX_QUEUED: '2' } })
  const slow = await ada.agent(scripted('hang=headers'))
  const first = await listen(booted, ada, STREAM, saying(slow, 'Go'))
  const { sessionId } = await first.until('run_started')
  const waiting = [1, 2].map((n) => listen(booted, ada, STREAM, saying(slow, String(n), { sessionId })))
  for (const stream of await Promise.all(waiting)) await stream.until('queued')
  const full = { status: 409, body: { error: { type: 'conflict_error', code: 'session_full' } } }
  t.match(await run(ada, slow, 'Me too', { sessionId }), full)
  t.match(await streamed(ada, slow, 'Me too', { sessionId }), full)
  t.match(await run(ada, slow, 'Me too', { sessionId, multitaskStrategy: 'reject' }), {
    body: { error: { code: 'session_busy' } }
  })
  const other = await listen(booted, ada, STREAM, saying(slow, 'Elsewhere'))
  t.equal((await other.until('agent_step')).type, 'agent_step', 'in this session')
  for (const stream of [first, other, ...(await Promise.all(waiting))]) {
    await ada.post(`/v1/agents/runs/${stream.runId}/cancel`)
    stream.close()
  }
})
