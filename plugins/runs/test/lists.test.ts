import t from 'tap'
import type { Client } from '../../../test/client.ts'
import { listen, local, puppetStage, run, runOnce, STREAM, saying, tool } from './testbed.ts'

const { booted, ada, play } = await puppetStage(t)
const [agent, other] = [await ada.agent(local), await ada.agent(local)]
const schema = { type: 'object', properties: { size: { type: 'string' } } }
play.tools = () => [
  tool('pay', async () => ({ output: 'paid' }), { approval: 'pay' }),
  tool('order', async ({ ask }) => ({ output: await ask({ message: 'Which size?', schema }) }))
]

const list = async (client: Client, query = '') => {
  const { status, body } = await client.get(`/v1/runs${query}`)
  if (status !== 200) throw new Error(`${query}: ${status} ${JSON.stringify(body)}`)
  return body.data
}
const ids = async (client: Client, query = ''): Promise<string[]> =>
  (await list(client, query)).map(({ id }: { id: string }) => id)

t.test('runs are listed without their words, the newest first, page by page', async (t) => {
  const runs: string[] = []
  for (let n = 0; n < 5; n++)
    runs.unshift((await run(ada, n % 2 ? other : agent, `Say nothing of ${n}`)).body.data.id)
  const pages: string[][] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body } = await ada.get(`/v1/runs?limit=2${cursor && `&cursor=${cursor}`}`)
    t.equal(status, 200)
    pages.push(body.data.map(({ id }: { id: string }) => id))
    cursor = body.nextCursor
  }
  t.same(pages, [runs.slice(0, 2), runs.slice(2, 4), runs.slice(4)])

  const { sessionId } = (await ada.get(`/v1/agents/runs/${runs[0]}`)).body.data
  await ada.patch(`/v1/sessions/${sessionId}`, { title: 'Numbers' })
  const [newest, before] = await list(ada)
  t.equal(before.sessionTitle, 'Say nothing of 3', 'what was asked first')
  t.match(newest, {
    owner: 'ada',
    agentId: agent.id,
    sessionId: /^session_/,
    sessionTitle: 'Numbers',
    status: 'completed',
    asked: 'Say nothing of 4',
    modelProvider: 'local',
    usage: (await ada.get(`/v1/agents/runs/${runs[0]}`)).body.data.usage,
    error: null,
    pending: [],
    endedAt: String
  })
  for (const name of ['content', 'project', 'messages']) t.notOk(name in newest, name)
  t.same(await ids(ada, `?agentId=${other.id}`), [runs[1], runs[3]])
  t.same(await ids(ada, `?sessionId=${newest.sessionId}`), [newest.id])
  t.same(await ids(ada, `?sessionId=${newest.sessionId}&agentId=${other.id}`), [])
})

t.test('by what they are at, as each of them says of itself', async (t) => {
  const pay = (await run(ada, agent, '/call pay {"sum":5}')).body.data
  const order = (await run(ada, agent, '/call order')).body.data
  t.same([pay.status, order.status], ['waiting', 'waiting'])
  const waiting = await list(ada, '?status=waiting')
  t.same(
    waiting.map(({ id, status, pending }: typeof pay) => [id, status, pending]),
    [order, pay].map(({ id, pending: [{ callId, toolName, for: kind, deadline }] }) => [
      id,
      'waiting',
      [{ callId, toolName, for: kind, deadline }]
    ])
  )
  t.ok(
    waiting.every(({ usage }: typeof pay) => usage.outputTokens > 0),
    'what it used up until now'
  )

  const queued = await listen(
    booted,
    ada,
    STREAM,
    saying(agent, `Then this ${'x'.repeat(300)}`, { sessionId: pay.sessionId })
  )
  await queued.until('queued')
  t.match(await list(ada, `?status=queued&sessionId=${pay.sessionId}`), [
    { id: queued.runId, status: 'queued', asked: /^Then this x{190}$/, pending: [], endedAt: null }
  ])
  t.same(await ids(ada, `?status=queued&sessionId=${order.sessionId}`), [])
  t.same(await ids(ada, '?status=running'), [])

  const slow = await listen(booted, ada, STREAM, saying(agent, '/wait 50\n/repeat 10000 word'))
  await slow.until('token')
  t.same(await ids(ada, '?status=running'), [slow.runId])
  for (const runId of [slow.runId, queued.runId, pay.id, order.id])
    t.match(await ada.post(`/v1/agents/runs/${runId}/cancel`), { status: 200 })
  for (const runId of [slow.runId, queued.runId, pay.id, order.id])
    await runOnce(ada, runId, ({ body }) => body.data.endedAt !== null)
  for (const status of ['queued', 'running', 'waiting', 'failed'])
    t.same(await ids(ada, `?status=${status}`), [], status)
  t.same((await ids(ada, '?status=cancelled')).length, 4)
  t.same((await ids(ada, '?status=completed')).length, 5)
})

t.test('only those that are reached', async (t) => {
  const [mine] = await list(ada)
  const eve = booted.as('eve')
  t.same(await ids(eve), [])
  t.same(await ids(booted.as('ada', { project: 'other' })), [])
  t.same(
    (await ids(booted.as('bot', { type: 'service' }))).length,
    (await ids(ada)).length,
    'a service without an initiator reaches the whole project'
  )
  const refused = (param: string, status: number) => ({ status, body: { error: { param } } })
  t.match(await eve.get(`/v1/runs?agentId=${mine.agentId}`), refused('agentId', 403))
  t.match(await eve.get(`/v1/runs?sessionId=${mine.sessionId}`), refused('sessionId', 403))
  t.match(await ada.get('/v1/runs?agentId=agent_nope'), refused('agentId', 404))
  t.match(await ada.get('/v1/runs?sessionId=session_nope'), refused('sessionId', 404))
  for (const [name, value] of Object.entries({ status: 'done', limit: '0', cursor: 'nope', owner: 'ada' }))
    t.match(await ada.get(`/v1/runs?${name}=${value}`), refused(name, 400), name)
})
