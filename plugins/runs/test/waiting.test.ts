import { EventEmitter } from 'node:events'
import { newId } from 'agent-platform'
import t from 'tap'
import { ANSWER, listen, local, puppetStage, RUN, run, STREAM, saying, tool } from './testbed.ts'

const { booted, ada, play } = await puppetStage(t)
const agent = await ada.agent(local)
const schema = {
  type: 'object',
  properties: { size: { type: 'string', enum: ['S', 'XL'] } },
  required: ['size']
}
play.tools = () => [
  tool('order', async ({ ask }) => ({ output: await ask({ message: 'Which size?', schema }) })),
  tool('chat', async ({ ask }) => {
    const first = await ask({ message: 'One?', schema: { type: 'object' } })
    return { output: [first, await ask({ message: 'Two?', schema: { type: 'object' } })] }
  })
]
const cliTools = [{ name: 'dig' }, { name: 'fill' }]
/** As a caller without a stream sees it. */
const path = (runId: string) => `/v1/agents/runs/${runId}`
const settled = async (runId: string) => (await ada.get(`${path(runId)}?wait=true`)).body.data
const elicitation = ({ id, pending: [asked] }: { id: string; pending: { elicitationId: string }[] }) =>
  `${path(id)}/elicitations/${asked?.elicitationId}`

t.test('a tool that asks makes its run wait, also for those who do not read the stream', async (t) => {
  const { status, body } = await run(ada, agent, '/call order {"what":"shirt"}')
  t.equal(status, 200)
  t.match(body.data, { status: 'waiting', content: null, endedAt: null })
  t.match(body.data.pending, [
    {
      for: 'elicitation',
      callId: /^call_/,
      elicitationId: /^elicit_/,
      toolName: 'order',
      args: { what: 'shirt' },
      message: 'Which size?',
      schema,
      deadline: String
    }
  ])
  t.same((await ada.get(path(body.data.id))).body.data, body.data)
  for (const [content, param] of [
    [{}, '/content/size'],
    [{ size: 'M' }, '/content/size'],
    [{ size: 5 }, '/content/size'],
    [undefined, '/content/size']
  ])
    t.match(await ada.post(elicitation(body.data), { action: 'accept', content }), {
      status: 400,
      body: { error: { param } }
    })
  const answer = { action: 'accept', content: { size: 'XL' } }
  t.match(await booted.as('eve').post(elicitation(body.data), answer), { status: 403 })
  t.match(await ada.post(elicitation(body.data), answer), {
    status: 200,
    body: { data: { status: /running|completed/, pending: [] } }
  })
  t.match(await settled(body.data.id), { status: 'completed', content: JSON.stringify(answer) })
})

t.test('and its stream says so, as often as it asks', async (t) => {
  const reader = await listen(booted, ada, STREAM, saying(agent, '/call chat'))
  const path = async () => {
    const { elicitationId } = (await reader.until('elicitation_request')) as unknown as {
      elicitationId: string
    }
    await reader.until('waiting')
    return `/v1/agents/runs/${reader.runId}/elicitations/${elicitationId}`
  }
  for (let turn = 0; turn < 2; turn++) {
    t.match(await ada.post(await path(), { action: 'decline' }), { status: 200 })
    await reader.until('running')
  }
  t.equal((await reader.rest()).at(-1)?.type, 'final')
})

t.test('a run behind one that waits is queued, and its caller is told at once', async (t) => {
  const first = (await run(ada, agent, '/call dig {}', { cliTools })).body.data
  const { sessionId } = first
  const behind = await run(ada, agent, 'Me too', { sessionId })
  t.match(behind, { status: 200, body: { data: { status: 'queued', content: null, pending: [] } } })
  t.match(await settled(behind.body.data.id), { status: 'queued' }, 'nor does it wait when it is asked later')
  const answer = { runId: first.id, callId: first.pending[0].callId, output: 'a hole' }
  t.match(await ada.post(ANSWER, answer), { status: 200 })
  t.match(await settled(behind.body.data.id), { status: 'completed', content: 'You said: Me too' })
})

t.test('so it is when the run ahead begins to wait only then, or asks', async (t) => {
  const slow = '/wait 5\n/repeat 20 word\n/call order {}'
  const first = await listen(booted, ada, STREAM, saying(agent, slow))
  const { sessionId } = await first.until('run_started')
  const behind = run(ada, agent, 'Me too', { sessionId })
  await first.until('waiting')
  t.match((await behind).body.data, { status: 'queued' })
  await ada.post(`${path(first.runId)}/cancel`)
  t.match(await settled((await behind).body.data.id), { status: 'completed' })
})

t.test('what was answered last is waited for; one of several leaves the others open', async (t) => {
  const { id: runId, pending } = (await run(ada, agent, '/call dig {}\n/call fill {}', { cliTools })).body
    .data
  const answer = (index: number) => ({ runId, callId: pending[index].callId, output: `${index} done` })
  const one = await ada.post(ANSWER, answer(0))
  t.match(one.body.data, { status: 'waiting', pending: [{ toolName: 'fill', for: 'result' }] })
  const two = await ada.post(ANSWER, answer(1))
  t.match(two.body.data, { status: /running|completed/, pending: [] }, 'nobody is waited for')
  t.match(await settled(runId), { status: 'completed' })
})

t.test('to wait for a run is to read it', async (t) => {
  const { id } = (await run(ada, agent, 'Hello')).body.data
  t.match(await ada.get(`${path(id)}?wait=true`), { status: 200, body: { data: { status: 'completed' } } })
  t.match(await ada.get(`${path(id)}?wait=perhaps`), { status: 400, body: { error: { param: 'wait' } } })
  t.match(await booted.as('eve').get(`${path(id)}?wait=true`), { status: 403 })
  t.match(await ada.get(`${path(newId('run'))}?wait=true`), { status: 404 })
  t.match(await booted.anyone.get(`${path(id)}?wait=true`), { status: 401 })
})

t.test('a repeated request behind a waiting run is told what the first one was', async (t) => {
  const first = (await run(ada, agent, '/call dig {}', { cliTools })).body.data
  const body = saying(agent, 'Later', { sessionId: first.sessionId })
  const key = { 'idempotency-key': 'behind' }
  const one = await ada.post(RUN, body, key)
  const two = await ada.post(RUN, body, key)
  t.match([one.body.data.status, two.body.data.status], ['queued', 'queued'])
  t.equal(two.body.data.id, one.body.data.id)
  await ada.post(`${path(first.id)}/cancel`)
  t.match((await ada.post(RUN, body, key)).body.data, { status: 'completed', content: 'You said: Later' })
})

t.test('however many wait for a queued run, it is looked at as for one', async (t) => {
  const first = await listen(booted, ada, STREAM, saying(agent, '/wait 60000\nDone'))
  const { sessionId } = await first.until('run_started')
  const { runId } = await listen(booted, ada, STREAM, saying(agent, 'Me too', { sessionId }))
  const looks = new EventEmitter<{ look: [] }>()
  const hear = ({ sql }: { sql: string }) => {
    if (/from "runs"\."run" .*"status" in/.test(sql)) looks.emit('look')
  }
  booted.platform.knex.on('query', hear)
  t.teardown(() => booted.platform.knex.off('query', hear))
  const callers = 20
  let [count, begun] = [0, 0]
  const later = new Promise<number>((resolve) =>
    looks.on('look', () => {
      if (++count === callers) begun = performance.now()
      if (count === callers + 4) resolve(performance.now() - begun)
    })
  )
  const waiting = Array.from({ length: callers }, () => settled(runId))
  const milliseconds = await later
  t.ok(milliseconds > 1_000, `four looks more took ${milliseconds} ms`)
  await ada.post(`${path(first.runId)}/cancel`)
  for (const run of await Promise.all(waiting)) t.match(run, { id: runId, status: 'completed' })
})
