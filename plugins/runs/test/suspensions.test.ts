// budget: 5 s, because it boots a second instance
import t from 'tap'
import { ANSWER, listen, local, puppetStage, run, runOnce, STREAM, saying, tool } from './testbed.ts'

const { booted, ada, play } = await puppetStage(t)
const agent = await ada.agent(local)
const { knex } = booted.platform
/** What was told of a run, in the order of its transactions. */
const told = async (runId: string): Promise<string[]> =>
  knex('kernel.fact').where({ subject: runId }).orderBy(['transaction', 'position']).pluck('name')
const path = (runId: string) => `/v1/agents/runs/${runId}`
const approve = (runId: string, { callId }: { callId: string }) =>
  ada.post(`${path(runId)}/approvals/${callId}`, { decision: 'approve' })
const ended = (runId: string) => runOnce(ada, runId, ({ body }) => body.data.endedAt !== null)
const [started, suspended, resumed, completed] = ['started', 'suspended', 'resumed', 'completed'].map(
  (what) => `runs.${what}`
)

play.tools = () => [
  tool('pay', async () => ({ output: 'paid' }), { approval: 'pay' }),
  tool('look', async () => ({ output: 'seen' })),
  tool('order', async ({ ask }) => ({ output: await ask({ message: 'Size?', schema: { type: 'object' } }) }))
]

t.test('a run that never waits says nothing of it', async (t) => {
  const { body } = await run(ada, agent, '/call look')
  t.same(await told(body.data.id), [started, completed])
})

t.test('a run waits once, until the last of what it waits for has come', async (t) => {
  const { id, sessionId, agentId, pending } = (await run(ada, agent, '/call pay {"n":1}\n/call pay {"n":2}'))
    .body.data
  t.same(await told(id), [started, suspended])
  const about = { runId: id, sessionId, agentId }
  t.match(await knex('kernel.fact').where({ subject: id, name: suspended }), [
    { owner: ada.id, actor: ada.id, data: about }
  ])
  await approve(id, pending[0])
  // The first one is made, and the run is back to waiting for the other.
  await runOnce(ada, id, ({ body }) => body.data.status === 'waiting' && body.data.pending.length === 1)
  const row = () => knex('runs.run').where({ id }).first('status')
  while ((await row()).status !== 'waiting') await new Promise((resolve) => setTimeout(resolve, 10))
  t.same(await told(id), [started, suspended], 'it still waits')
  await approve(id, pending[1])
  await ended(id)
  t.same(await told(id), [started, suspended, resumed, completed])
  t.match(await knex('kernel.fact').where({ subject: id, name: resumed }), [{ owner: ada.id, data: about }])
})

t.test('so it is of results and of rejections, at each of its steps', async (t) => {
  const cliTools = [{ name: 'dig' }]
  const text = '/call dig\n/then\n/call pay'
  const { id: runId, pending } = (await run(ada, agent, text, { cliTools })).body.data
  await ada.post(ANSWER, { runId, callId: pending[0].callId, output: 'dug' })
  const { body } = await runOnce(ada, runId, ({ body }) => body.data.pending[0]?.toolName === 'pay')
  await ada.post(`${path(runId)}/approvals/${body.data.pending[0].callId}`, { decision: 'reject' })
  await ended(runId)
  t.same(await told(runId), [started, suspended, resumed, suspended, resumed, completed])
})

t.test('a run whose deadline passes goes on, and one that is cancelled ends', async (t) => {
  const late = (await run(ada, agent, '/call pay')).body.data
  const [{ callId: id }] = late.pending
  const deadline = new Date(0)
  await knex('jobs.wait').where({ id }).update({ deadline })
  const waiter = 'runs.approval'
  const expiring = booted.platform.points.all('jobs.waiter').find(({ key }) => key === waiter)
  await expiring?.value.expired({ project: 'default', owner: 'ada', id, waiter, subject: late.id, deadline })
  await ended(late.id)
  t.same(await told(late.id), [started, suspended, resumed, completed])

  const { id: left } = (await run(ada, agent, '/call pay')).body.data
  await ada.post(`${path(left)}/cancel`)
  t.same(await told(left), [started, suspended, 'runs.cancelled'])
})

t.test('a tool that asks makes its run wait, and so do two that ask at once', async (t) => {
  const reader = await listen(booted, ada, STREAM, saying(agent, '/call order {"n":1}\n/call order {"n":2}'))
  const asked: string[] = []
  for (let turn = 0; turn < 2; turn++) {
    const { elicitationId } = (await reader.until('elicitation_request')) as unknown as Record<string, string>
    asked.push(String(elicitationId))
  }
  await runOnce(ada, reader.runId, ({ body }) => body.data.pending.length === 2)
  t.same(await told(reader.runId), [started, suspended])
  const answer = (id: string) => ada.post(`${path(reader.runId)}/elicitations/${id}`, { action: 'decline' })
  const answered = await Promise.all(asked.map(answer))
  t.same(
    answered.map(({ status }) => status),
    [200, 200]
  )
  await reader.rest()
  t.same(await told(reader.runId), [started, suspended, resumed, completed])
})

t.test('what a tool asked is not waited for any more when its process is gone', async (t) => {
  const reader = await listen(booted, ada, STREAM, saying(agent, '/call order'))
  await reader.until('waiting')
  t.same(await told(reader.runId), [started, suspended])
  const gone = { host: 'gone', pid: 1, version: '0', deadAt: new Date() }
  const [dead] = await knex('kernel.instance').insert(gone).returning('id')
  await knex('runs.run').where({ id: reader.runId }).update({ instance: dead.id })
  const beside = await puppetStage(t, { beside: booted })
  beside.play.tools = play.tools
  const rest = await reader.rest()
  t.match(rest.at(-1), { type: 'final', content: /outcome of this call is unknown/ })
  t.same(await told(reader.runId), [started, suspended, resumed, completed])
})
