import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { testResource } from '../../../test/resource.ts'

const booted = await boot(t, 'agents')
const { as, platform, settled, url } = booted

t.test('an owner keeps agents', async (t) => {
  await testResource(t, booted, {
    path: '/v1/agents',
    create: () => ({ name: 'Charles', temperature: 0.5 }),
    changes: { instructions: 'Count.', temperature: null },
    searched: { name: 'Quagga' },
    wrong: { name: '  ', temperature: '1' }
  })
  const ada = as('ada')
  const created = await ada.post('/v1/agents', { name: 'Charles', temperature: 0.5 })
  t.match(created.body.data, { instructions: null, temperature: 0.5, maxTokens: null })
  for (const body of [{}, { name: '' }])
    t.match(await ada.post('/v1/agents', body), { status: 400, body: { error: { param: '/name' } } })
  t.match(await as('eve').get(`/v1/agents/${created.body.data.id}`), {
    status: 403,
    body: { error: { code: 'not_owner' } }
  })
})

t.test('lists show what the caller reaches', async (t) => {
  const project = 'lists'
  const [bea, eve, crm] = [
    as('bea', { project }),
    as('eve', { project }),
    as('crm', { project, type: 'service' })
  ]
  for (const client of [bea, bea, eve]) await client.agent()
  const count = async (query: string, headers = {}) =>
    (await crm.get(`/v1/agents${query}`, headers)).body.data.length
  t.equal((await bea.get('/v1/agents')).body.data.length, 2)
  t.equal(await count(''), 3, 'a service reaches its whole project')
  t.equal(await count('?owner=eve'), 1)
  t.equal(await count('', { 'x-initiator': 'eve' }), 1)
  t.match(await bea.get('/v1/agents?owner=eve'), { status: 403, body: { error: { param: 'owner' } } })
  t.match(await bea.get('/v1/agents?owner='), { status: 400, body: { error: { param: 'owner' } } })
})

t.test('an agent reaches itself, and what it makes belongs to its owner', async (t) => {
  const agent = await as('ada').agent()
  const key = await platform.credentials.createKey({
    project: 'default',
    type: 'agent',
    principal: agent.id,
    owner: 'ada',
    name: 'self'
  })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }

  t.equal((await fetch(`${url}/v1/agents/${agent.id}`, { headers })).status, 200)
  const other = await as('ada').agent()
  t.equal((await fetch(`${url}/v1/agents/${other.id}`, { headers })).status, 403)
  const made = await fetch(`${url}/v1/agents`, { method: 'POST', headers, body: '{"name":"Child"}' })
  t.match(await made.json(), { data: { owner: 'ada' } })

  await as('ada').delete(`/v1/agents/${agent.id}`)
  t.equal((await fetch(`${url}/v1/agents`, { headers })).status, 401, 'its keys go with it')
})

t.test('the always-on context is replaced as a whole', async (t) => {
  const ada = as('ada')
  const path = `/v1/agents/${(await ada.agent()).id}/knowledgebase`

  t.match(await ada.get(path), { status: 200, body: { data: { content: '', version: 0, updatedAt: null } } })
  t.match(await ada.put(path, { content: 'We ship on Fridays.' }, { 'if-match': '"0"' }), {
    status: 200,
    body: { data: { content: 'We ship on Fridays.', version: 1 } }
  })
  t.match(await ada.put(path, { content: 'Never.' }, { 'if-match': '"0"' }), { status: 412 })
  t.match(await ada.put(path, { content: 'On Mondays.' }), { body: { data: { version: 2 } } })
  const { body } = await ada.get(path)
  t.match(body.data, {
    owner: 'ada',
    content: 'On Mondays.',
    version: 2,
    createdAt: String,
    updatedAt: String
  })
  t.same((await ada.put(path, body.data)).body, body, 'what was read can be sent back, and is no edit')
  t.match(await ada.put(path, {}), { status: 400, body: { error: { param: '/content' } } })
  t.match(await as('eve').get(path), { status: 403 })
  t.match(await as('eve').put(path, { content: '' }), { status: 403 })
  t.match(await ada.get('/v1/agents/agent_nope/knowledgebase'), { status: 404 })
})

t.test('peers are pinned and unpinned', async (t) => {
  const [ada, eve] = [as('ada'), as('eve')]
  const [agent, peer, hers] = [await ada.agent(), await ada.agent(), await eve.agent()]
  const path = `/v1/agents/${agent.id}/preferred-connections`

  const pinned = await ada.post(path, { peerAgentId: peer.id, description: 'for sums' })
  t.match(pinned, {
    status: 201,
    body: { data: { agentId: agent.id, peerAgentId: peer.id, description: 'for sums' } }
  })
  t.match(await ada.post(path, { peerAgentId: peer.id }), { status: 409 })
  t.match(await ada.post(path, { peerAgentId: agent.id }), {
    status: 400,
    body: { error: { param: '/peerAgentId' } }
  })
  t.match(await ada.post(path, { peerAgentId: hers.id }), {
    status: 403,
    body: { error: { param: '/peerAgentId' } }
  })
  t.match(await ada.post(path, { peerAgentId: 'agent_nope' }), {
    status: 404,
    body: { error: { param: '/peerAgentId' } }
  })
  t.match(await eve.post(path, { peerAgentId: hers.id }), { status: 403 })
  t.match(await ada.get(path), { status: 200, body: { data: [pinned.body.data], nextCursor: null } })
  t.match(await eve.get(path), { status: 403 })

  const one = `/v1/agents/preferred-connections/${pinned.body.data.id}`
  t.match(await eve.delete(one), { status: 403 })
  t.match(await ada.delete(one), { status: 200, body: { data: { id: pinned.body.data.id, deleted: true } } })
  t.match(await ada.delete(one), { status: 404 })

  await ada.post(path, { peerAgentId: peer.id })
  await ada.delete(`/v1/agents/${peer.id}`)
  await settled()
  t.same((await ada.get(path)).body.data, [], 'a pin goes with the peer')
})

t.test('a deleted agent takes what is below it along', async (t) => {
  const ada = as('ada')
  const path = `/v1/agents/${(await ada.agent()).id}`
  await ada.delete(path)
  for (const gone of [path, `${path}/knowledgebase`, `${path}/preferred-connections`])
    t.equal((await ada.get(gone)).status, 404)
})

t.test('nothing is kept for an agent that goes at the same time', async (t) => {
  const ada = as('ada')
  const [agent, peer] = [await ada.agent(), await ada.agent()]
  const path = `/v1/agents/${agent.id}`

  const going = await platform.knex.transaction()
  await going('agents.agent').where({ id: agent.id }).update({ deletedAt: going.fn.now() })
  const requests = [
    ada.put(path, { name: 'Late' }),
    ada.delete(path),
    ada.put(`${path}/knowledgebase`, { content: 'late' }),
    ada.post(`${path}/preferred-connections`, { peerAgentId: peer.id }),
    ada.post(`/v1/agents/${peer.id}/preferred-connections`, { peerAgentId: agent.id })
  ]
  const waiting = async () => {
    for (;;) {
      const { rows } = await platform.knex.raw(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      )
      if (rows.length === requests.length) return
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  await Promise.race([waiting(), Promise.all(requests)])
  await going.commit()

  for (const reply of await Promise.all(requests)) t.equal(reply.status, 404)
  for (const kept of ['knowledgebase', 'connection'])
    t.same(await platform.knex(`agents.${kept}`).where({ agentId: agent.id }), [], kept)
})
