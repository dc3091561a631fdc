// budget: 8 s, because two instances run agents, and wait for a token's end
import { inspect, narrow } from 'agent-platform-client'
import t from 'tap'
import { listen, RUN, run, runOnce, saying } from '../../plugins/runs/test/testbed.ts'
import { boot } from '../boot.ts'
import { createClient } from '../client.ts'
import { refused } from '../http/refused.ts'
import { json, service } from '../loopback.ts'

const packs = [
  'access',
  'agents',
  'outgoing',
  'models',
  'sessions',
  'jobs',
  'runs',
  'tools',
  'toolbox',
  'goals'
]
const options = {
  packs: [...packs, 'memory', 'retrieval', 'embeddings'],
  env: { OUTGOING_ALLOW: '127.0.0.1' }
}
const booted = await boot(t, options)
const ada = booted.as('ada')
const key = await ada.key()
const token = { code: 'token_refused' }
const local = { modelProvider: 'local' }
const holding = async (restrictions: Parameters<typeof narrow>[1], of = key, at = booted) =>
  createClient(at.url, 'ada', await narrow(of, restrictions))
const give = async (agent: { id: string }, ...tools: string[]) => {
  for (const toolId of tools) {
    const { status, text } = await ada.post(`/v1/agents/${agent.id}/tools`, { toolId })
    if (status !== 201) throw new Error(text)
  }
}
const acting = async (...tools: string[]) => {
  const agent = await ada.agent(local)
  await give(agent, ...tools)
  return agent
}
const said = async (client: typeof ada, agent: { id: string }, text: string) => {
  const { status, body } = await run(client, agent, text)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return String(body.data.content)
}
const reckon = '/call calculator {"expression":"6*7"}'
const clock = '/call current_time {}'

t.test('a run of a token calls the tools that it names, and no other', async (t) => {
  const agent = await acting('calculator', 'current_time', 'report_progress')
  t.match(await said(ada, agent, clock), /20\d\d-/)
  const one = await holding({ tools: ['calculator'], agents: [agent.id] })
  t.match(await said(one, agent, reckon), /42/)
  t.match(await said(one, agent, clock), /no tool current_time/)
  const both = await narrow(key, { tools: ['calculator', 'current_time'] })
  const last = await holding({ tools: ['current_time', 'report_progress'] }, both)
  t.match(await said(last, agent, clock), /20\d\d-/)
  t.match(await said(last, agent, reckon), /no tool calculator/)
  t.match(await said(await holding({}), agent, '/call report_progress {}'), /no tool/, 'not known to be safe')
  t.match(await said(await holding({ tools: [] }), agent, reckon), /no tool/)
})

t.test('it runs the agents that are left, and wants nothing beside', async (t) => {
  const [agent, other] = [await acting(), await acting()]
  const holder = await holding({ agents: [agent.id], tools: ['dig'] })
  refused(t, await run(holder, other, 'Hello'), 403, { ...token, param: '/agentId' })
  refused(t, await run(holder, { id: 'agent_01k4qz0000e0080000000000ab' }, 'Hello'), 404)
  const { sessionId } = (await run(ada, other, 'Hello')).body.data
  refused(t, await run(holder, agent, 'Hello', { sessionId }), 403, { ...token, param: '/sessionId' })
  refused(t, await run(holder, agent, 'Hello', { cliTools: [{ name: 'delve' }] }), 403, {
    ...token,
    param: '/cliTools/0/name'
  })
  refused(t, await run(holder, agent, 'Hello', { computerRequest: { enabled: true } }), 403, {
    ...token,
    param: '/computerRequest'
  })
  const cliTools = [{ name: 'dig' }]
  const { id: runId, pending } = (await run(holder, agent, '/call dig {}', { cliTools })).body.data
  const answer = { runId, callId: pending[0].callId, output: 'gold' }
  t.match((await holder.post('/v1/agents/cli-tool-result', answer)).status, 200)
  t.match((await holder.get('/v1/runs')).body.data, [{ id: runId, agentId: agent.id }])
  const decision = { decision: 'approve' }
  refused(t, await holder.post(`/v1/agents/runs/${runId}/approvals/call_x`, decision), 403, token)
  refused(t, await holder.put(`/v1/agents/runs/${runId}/sharing`, { audience: 'project' }), 403, token)
  refused(t, await (await holding({ scopes: ['agents:read'] })).post(RUN, saying(agent, 'Hello')), 403, {
    code: 'scope_missing'
  })
})

t.test('its tools connect to the hosts that it names, also behind a redirect', async (t) => {
  const elsewhere = await service(t, (reply) => json(reply, 200, 'elsewhere'))
  const api = await service(t, (reply, { path }) => {
    if (path !== '/leave') return json(reply, 200, 'at home')
    reply.writeHead(302, { location: `${elsewhere.url}/found` }).end()
  })
  const tool = async (name: string, url: string) => {
    const input = { name, description: 'Asks', idempotent: true, config: { method: 'GET', url } }
    return (await ada.post('/v1/tools', input)).body.data.id as string
  }
  const home = await tool('home', `${api.url}/here`)
  const agent = await acting(
    home,
    await tool('leave', `${api.url}/leave`),
    await tool('away', elsewhere.url),
    'http_fetch'
  )
  const holder = await holding({ hosts: [api.host] })
  t.match(await said(holder, agent, '/call home {}'), /at home/)
  for (const call of [
    'leave',
    'away',
    `http_fetch {"url":"${elsewhere.url}/x"}`,
    `http_fetch {"url":"${api.url}/leave"}`
  ])
    t.match(
      await said(holder, agent, `/call ${call.includes(' ') ? call : `${call} {}`}`),
      /is not allowed here/,
      call
    )
  t.match(await said(holder, agent, `/call http_fetch {"url":"${api.url}/x"}`), /at home/)
  t.equal(elsewhere.asked.length, 0, 'nothing was sent there')
  t.match(await said(ada, agent, '/call leave {}'), /elsewhere/, 'the key itself may')
  t.match(
    await said(await holding({ hosts: [api.host], tools: [home] }), agent, '/call home {}'),
    /at home/,
    'by id'
  )
  t.match(await said(await holding({ hosts: [] }), agent, '/call home {}'), /is not allowed here/)
})

t.test('what a run hands on has no more than it', async (t) => {
  const [agent, peer] = [await acting('delegate', 'calculator'), await acting('calculator', 'current_time')]
  await ada.post(`/v1/agents/${agent.id}/preferred-connections`, { peerAgentId: peer.id })
  const handOn = (task: string) => `/call delegate ${JSON.stringify({ agent: peer.id, task })}`
  const holder = await holding({ tools: ['delegate', 'calculator'] })
  t.match(await said(holder, agent, handOn(reckon)), /42/)
  t.match(await said(holder, agent, handOn(clock)), /no tool current_time/)
  t.match(
    await said(await holding({ agents: [agent.id] }), agent, handOn('Hello')),
    /token does not give access to this agent/
  )
})

t.test('a request by a token is not answered as that of another credential', async (t) => {
  const agent = await acting()
  const again = { 'idempotency-key': 'once' }
  const [first, holder] = [await run(ada, agent, 'Hello', {}, again), await holding({})]
  const second = await run(holder, agent, 'Hello', {}, again)
  t.not(second.body.data.id, first.body.data.id)
  t.equal((await run(holder, agent, 'Hello', {}, again)).body.data.id, second.body.data.id)
})

t.test('a run keeps what was taken away, on whatever instance it goes on', async (t) => {
  const agent = await acting('calculator', 'current_time')
  const first = await boot(t, { ...options, beside: booted })
  const holder = await holding({ tools: ['dig', 'calculator'] }, key, first)
  const cliTools = [{ name: 'dig' }]
  const words = `/call dig {}\n${clock}\n${reckon}`
  const { id: runId, pending } = (await run(holder, agent, words, { cliTools })).body.data
  await first.close()
  await ada.post('/v1/agents/cli-tool-result', { runId, callId: pending[0].callId, output: 'gold' })
  const { body } = await runOnce(ada, runId, ({ body }) => body.data.endedAt !== null)
  t.match(body.data, { status: 'completed', content: /no tool current_time/ })
  t.match(body.data.content, /42/)
  const [{ actor }] = await booted.platform.knex('runs.run').where({ id: runId }).select('actor')
  t.match(actor.attenuation, { tools: [['dig', 'calculator']] })
  t.notMatch(JSON.stringify(actor), /apn_/, 'and nothing by which it could be used')
})

t.test('the end of a token ends what it follows, and what it began', async (t) => {
  const agent = await acting()
  const holder = await holding({ expires: new Date(Date.now() + 2_000) })
  const body = saying(agent, '/call dig {}', { cliTools: [{ name: 'dig' }] })
  const stream = await listen(booted, holder, '/v1/agents/run/stream', body)
  await stream.until('waiting')
  const heard = await stream.rest()
  t.notMatch(heard.at(-1), { type: 'final' }, 'it was cut off')
  const { expires } = inspect(await holder.key()).blocks[0] ?? {}
  t.ok(Date.now() >= Date.parse(String(expires)))
  refused(t, await holder.get(`/v1/agents/runs/${stream.runId}`), 401)
  const [waiting] = (await ada.get(`/v1/agents/runs/${stream.runId}`)).body.data.pending
  await ada.post('/v1/agents/cli-tool-result', { runId: stream.runId, callId: waiting.callId, output: 1 })
  const ended = await runOnce(ada, stream.runId, ({ body }) => body.data.endedAt !== null)
  t.match(ended.body.data, { status: 'failed', error: { code: 'token_expired' } })
})
