import t from 'tap'
import type { Client } from '../../../test/client.ts'
import { createClient } from '../../../test/client.ts'
import { ANSWER, local, messagesOf, RUN, run, STREAM, saying, stage } from './testbed.ts'

const { booted, ada } = await stage(t)
const { as } = booted
const cliTools = [{ name: 'dig' }]
const asFor = (initiator: string) => ({ 'x-initiator': initiator })

t.test('one agent of a service serves all its users, each with sessions of their own', async (t) => {
  const bot = as('bot', { type: 'service' })
  const agent = await bot.agent(local)
  const [fay, gus] = [asFor('fay'), asFor('gus')]
  const hers = (await run(bot, agent, '/call dig {}', { cliTools }, fay)).body.data
  const his = (await run(bot, agent, 'Hello', {}, gus)).body.data
  t.match(hers, { status: 'waiting' })
  const full = (who: Record<string, string>) => bot.get(`/v1/sessions/${hers.sessionId}/full`, who)
  t.match((await full(fay)).body.data, { owner: 'fay', initiator: 'fay', agentId: agent.id })
  t.match(await full(gus), { status: 403 })

  const own = `/v1/agents/runs/${hers.id}`
  t.match(await bot.get(own, fay), { status: 200 })
  t.match(await bot.get(own), { status: 200 }, 'the service itself reaches all')
  t.match(await bot.get(own, gus), { status: 403 })
  t.match(await bot.get(`${own}/stream`, gus), { status: 403 })
  t.match(await bot.post(`${own}/cancel`, undefined, gus), { status: 403 })
  const answer = { runId: hers.id, callId: hers.pending[0].callId, output: 'dug' }
  t.match(await bot.post(ANSWER, answer, gus), { status: 403, body: { error: { param: '/runId' } } })
  const intruding = saying(agent, 'Hello', { sessionId: hers.sessionId })
  t.match(await bot.post(RUN, intruding, gus), { status: 403, body: { error: { param: '/sessionId' } } })
  t.match(await bot.post(STREAM, intruding, gus), { status: 403, body: { error: { param: '/sessionId' } } })
  t.match(await bot.post(ANSWER, answer, fay), { status: 200 })
  const goOn = saying(agent, 'Again', { sessionId: his.sessionId })
  t.match(await bot.post(RUN, goOn, gus), { status: 200 })
  t.match(await bot.get(own, asFor('hal')), { status: 403 })
  t.match(await run(ada, agent, 'Hello'), { status: 403 })
  t.match(
    await run(ada, await ada.agent(local), 'Hello', {}, fay),
    { status: 403 },
    'users act for themselves'
  )
})

t.test('an agent runs itself, and what it makes is its owner’s', async (t) => {
  const agent = await ada.agent(local)
  const other = await ada.agent(local)
  const { platform, url } = booted
  const order = {
    name: 'self',
    project: 'default',
    environment: 'test',
    type: 'agent',
    admin: false
  } as const
  const key = platform.credentials.createKey({ ...order, principal: agent.id, owner: ada.id })
  const self = createClient(url, agent.id, key)
  const made = await run(self, agent, '/call dig {}', { cliTools })
  t.equal(made.status, 200)
  const { id: runId, sessionId, pending } = made.body.data
  t.match((await ada.get(`/v1/sessions/${sessionId}`)).body.data, { owner: ada.id, initiator: agent.id })
  for (const who of [self, ada]) t.match(await who.get(`/v1/agents/runs/${runId}`), { status: 200 })
  t.match(await as(other.id, { type: 'agent' }).get(`/v1/agents/runs/${runId}`), { status: 403 })
  t.match(await self.post(ANSWER, { runId, callId: pending[0].callId, output: 1 }), { status: 200 })
  t.match(await run(self, other, 'Hello'), { status: 403, body: { error: { param: '/agentId' } } })
  const hers = (await run(ada, agent, 'Hello')).body.data
  t.match(
    await self.get(`/v1/agents/runs/${hers.id}`),
    { status: 200 },
    'it reaches its runs, no matter who began them'
  )
  t.match(await run(self, agent, 'And again', { sessionId: hers.sessionId }), { status: 200 })
  t.equal((await messagesOf(self, hers.sessionId)).length, 4)
})

t.test('nobody crosses projects', async (t) => {
  const agent = await ada.agent(local)
  const { id: runId, sessionId } = (await run(ada, agent, 'Hello')).body.data
  const strangers: Client[] = [
    as('ada', { project: 'other' }),
    as('bot', { project: 'other', type: 'service' }),
    as(agent.id, { project: 'other', type: 'agent', owner: 'ada' })
  ]
  for (const who of strangers) {
    t.match(await run(who, agent, 'Hello'), { status: 403, body: { error: { param: '/agentId' } } })
    t.match(await who.get(`/v1/agents/runs/${runId}`), { status: 403 })
    t.match(await who.get(`/v1/agents/runs/${runId}/stream`), { status: 403 })
    t.match(await who.post(`/v1/agents/runs/${runId}/cancel`), { status: 403 })
    t.match(await who.post(ANSWER, { runId, callId: 'x', output: 1 }), { status: 403 })
  }
  const own = await (strangers[0] as Client).agent(local)
  t.match(await run(strangers[0] as Client, own, 'Hello', { sessionId }), {
    status: 403,
    body: { error: { param: '/sessionId' } }
  })
})

t.test('each request about an agent’s runs counts towards its limit, once', async (t) => {
  const { ada } = await stage(t, { env: { PLATFORM_LIMIT_PER_MINUTE: '7' } })
  const agent = await ada.agent(local)
  const { id: runId, sessionId } = (await run(ada, agent, 'Hello')).body.data
  const own = `/v1/agents/runs/${runId}`
  const asks = [
    () => run(ada, agent, 'Again', { sessionId }),
    () => ada.post(STREAM, saying(agent, 'Again', { sessionId })),
    () => ada.get(own),
    () => ada.get(`${own}/stream`),
    () => ada.post(`${own}/stream`),
    () => ada.post(`${own}/cancel`),
    () => ada.post(ANSWER, { runId, callId: 'x', output: 1 })
  ]
  const statuses: number[] = []
  for (const ask of asks.slice(0, -1)) statuses.push((await ask()).status)
  t.same(statuses, [200, 200, 200, 200, 200, 409])
  for (const ask of asks) {
    const reply = await ask()
    t.match(reply, {
      status: 429,
      body: { error: { type: 'rate_limit_error', message: /Retry-After: \d+/ } }
    })
    t.ok(reply.headers.get('retry-after'))
  }
  const other = await ada.agent(local)
  t.match(await run(ada, other, 'Hello'), { status: 200 }, 'another agent is not touched')
})
