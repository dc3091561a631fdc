import { newId } from 'agent-platform'
import t from 'tap'
import { createClient } from '../../../test/client.ts'
import { listen, local, run, stage } from './testbed.ts'

const { booted, ada } = await stage(t)
const { as, anyone, platform } = booted
const bob = as('bob')
const agent = await ada.agent(local)
const { id, sessionId } = (await run(ada, agent, 'Hello')).body.data
const path = `/v1/agents/runs/${id}`
const share = (client = ada, audience: unknown = 'project', of = path) =>
  client.put(`${of}/sharing`, { audience })
const notOwner = { status: 403, body: { error: { code: 'not_owner' } } }

t.test('a run is its owner’s, until it is shared with the project', async (t) => {
  t.match(await ada.get(`${path}/sharing`), {
    status: 200,
    body: { data: { runId: id, audience: 'owner', sharedBy: null, sharedAt: null } }
  })
  for (const read of [path, `${path}/stream`, `${path}?wait=true`, `${path}/sharing`])
    t.match(await bob.get(read), notOwner, read)
  t.match(await share(), {
    status: 200,
    body: { data: { audience: 'project', sharedBy: 'ada', sharedAt: /^2/ } }
  })
  const first = (await ada.get(`${path}/sharing`)).body.data
  t.same((await share()).body.data, first, 'once more changes nothing')

  t.match(await bob.get(path), { status: 200, body: { data: { id, owner: 'ada', content: /Hello/ } } })
  t.match(await bob.get(`${path}?wait=true`), { status: 200 })
  t.match((await bob.get(`${path}/stream`)).text, /"type":"final"/)
  t.match(await bob.get(`${path}/sharing`), { body: { data: { audience: 'project' } } })
  t.match(await as('crm', { type: 'service' }).get(path, { 'x-initiator': 'cy' }), { status: 200 })
})

t.test('and no more than that is open', async (t) => {
  t.match(await bob.post(`${path}/cancel`), notOwner)
  t.match(await share(bob, 'owner'), notOwner)
  t.match(await bob.get(`/v1/sessions/${sessionId}/full`), notOwner, 'nor is what else was said')
  t.match(await bob.get(`/v1/agents/sessions/${sessionId}/chat`), notOwner)
  t.match(await bob.get('/v1/runs'), { body: { data: [] } }, 'it is in no list')
  t.match(await run(bob, agent, 'Hi', { sessionId }), { status: 403 })
  t.match(await as('bob', { project: 'elsewhere' }).get(path), notOwner, 'another project')
  t.match(await anyone.get(path), { status: 401 })
  const reader = await bob.agent(local)
  const own = createClient(booted.url, 'agent', await as(reader.id, { type: 'agent' }).key())
  t.match(await own.get(path), notOwner, 'nor may an agent read it')
  t.match(await share(own), { status: 403 }, 'or share anything')
})

t.test('what is wrong is told', async (t) => {
  for (const unknown of [newId('run'), 'run_nope', newId('agent')]) {
    t.match(await share(ada, 'project', `/v1/agents/runs/${unknown}`), { status: 404 })
    t.match(await ada.get(`/v1/agents/runs/${unknown}/sharing`), { status: 404 })
  }
  t.match(await share(ada, 'everybody'), { status: 400, body: { error: { param: '/audience' } } })
  t.match(await ada.put(`${path}/sharing`, {}), { status: 400 })
  t.match(await ada.put(`${path}/sharing`, { audience: 'project', until: 1 }), { status: 400 })
  t.match(await share(as('ada', { scopes: ['agents:read'] })), { status: 403 })
})

t.test('it is taken back, also from who follows it', async (t) => {
  const asked = { cliTools: [{ name: 'look' }] }
  const open = (await run(ada, agent, '/call look {}', asked)).body.data
  const live = `/v1/agents/runs/${open.id}`
  await share(ada, 'project', live)
  const followed = await listen(booted, bob, `${live}/stream`)
  const own = await listen(booted, ada, `${live}/stream`)
  t.equal(followed.status, 200)
  await followed.until('cli_tool_request')
  const [call] = open.pending
  const answer = { runId: open.id, callId: call.callId, output: 'x' }
  t.match(await bob.post('/v1/agents/cli-tool-result', answer), { status: 403 })
  t.match(await share(ada, 'owner', live), { body: { data: { audience: 'owner', sharedBy: null } } })
  t.match(await bob.get(live), notOwner)
  await t.rejects(followed.until('final'), /ended without final/, 'before the run has ended')
  await ada.post('/v1/agents/cli-tool-result', answer)
  t.ok(await own.until('final'), 'its owner goes on')

  await share(ada, 'owner')
  t.match(await bob.get(path), notOwner)
  const facts = await platform.knex('kernel.fact').whereIn('name', ['runs.shared', 'runs.unshared'])
  t.same(
    facts.map(({ name, subject }: { name: string; subject: string }) => [name, subject]).sort(),
    [
      ['runs.shared', id],
      ['runs.shared', open.id],
      ['runs.unshared', id],
      ['runs.unshared', open.id]
    ].sort()
  )
})
