import t from 'tap'
import { boot } from '../../test/boot.ts'

t.test('an owner keeps agents', async (t) => {
  const { as, anyone } = await boot(t, 'agents')
  const ada = as('ada')
  const eve = as('eve')

  const created = await ada.post('/v1/agents', { name: 'Charles', temperature: 0.5 })
  t.match(created, {
    status: 201,
    body: {
      data: {
        owner: 'ada',
        name: 'Charles',
        instructions: null,
        temperature: 0.5,
        maxTokens: null,
        version: 1
      }
    }
  })
  t.equal(created.headers.get('etag'), '"1"')
  const agent = created.body.data
  const path = `/v1/agents/${agent.id}`

  t.test('read', async (t) => {
    t.match(await ada.get(path), { status: 200, body: { data: agent } })
    t.match(await eve.get(path), { status: 403, body: { error: { code: 'not_owner' } } })
    t.match(await ada.get('/v1/agents/agent_nope'), { status: 404 })
    t.match(await ada.get(`/v1/agents/goal_${agent.id.slice(6)}`), { status: 404 }, 'an id of another type')
    t.match(await anyone.get(path), { status: 401 })
  })

  t.test('update', async (t) => {
    const updated = await ada.put(path, { ...agent, instructions: 'Count.', temperature: null })
    t.match(updated, {
      status: 200,
      body: { data: { instructions: 'Count.', temperature: null, version: 2 } }
    })
    t.match(await ada.put(path, { name: 'Old' }, { 'if-match': '"1"' }), { status: 412 })
    t.match(await ada.put(path, { name: '' }), { status: 400, body: { error: { param: '/name' } } })
    t.match(await ada.put(path, { temperature: '1' }), {
      status: 400,
      body: { error: { param: '/temperature' } }
    })
    t.match(await eve.put(path, { name: 'Hers' }), { status: 403 })
    t.match(await ada.put('/v1/agents/agent_nope', { name: 'None' }), { status: 404 })
  })

  t.test('create', async (t) => {
    t.match(await ada.post('/v1/agents', {}), { status: 400, body: { error: { param: '/name' } } })
    t.match(await ada.post('/v1/agents', { name: 'x', id: agent.id }), {
      status: 400,
      body: { error: { param: '/id' } }
    })
    t.match(await anyone.post('/v1/agents', { name: 'x' }), { status: 401 })
  })
})

t.test('lists show what the caller reaches, newest first', async (t) => {
  const { as } = await boot(t, 'agents')
  const [ada, eve, crm] = [as('ada'), as('eve'), as('crm', { type: 'service' })]
  const ids: string[] = []
  for (let n = 0; n < 5; n++) ids.unshift((await ada.agent()).id)
  await eve.agent()

  const first = await ada.get('/v1/agents?limit=3')
  t.same(
    first.body.data.map((agent: { id: string }) => agent.id),
    ids.slice(0, 3)
  )
  const second = await ada.get(`/v1/agents?limit=3&cursor=${first.body.nextCursor}`)
  t.same(
    second.body.data.map((agent: { id: string }) => agent.id),
    ids.slice(3)
  )
  t.equal(second.body.nextCursor, null)
  t.equal((await crm.get('/v1/agents')).body.data.length, 6, 'a service reaches its whole project')
  t.equal((await crm.get('/v1/agents?owner=eve')).body.data.length, 1)
  t.equal((await crm.get('/v1/agents', { 'x-initiator': 'eve' })).body.data.length, 1)
  t.equal((await as('zoe', { project: 'other', type: 'service' }).get('/v1/agents')).body.data.length, 0)
  t.match(await ada.get('/v1/agents?owner=eve'), { status: 403, body: { error: { param: 'owner' } } })
  t.match(await ada.get('/v1/agents?limit=0'), { status: 400, body: { error: { param: 'limit' } } })
  t.match(await ada.get('/v1/agents?cursor=nope'), { status: 400, body: { error: { param: 'cursor' } } })
  t.match(await ada.get('/v1/agents?sort=name'), { status: 400, body: { error: { param: 'sort' } } })
})

t.test('an agent reaches itself, and what it makes belongs to its owner', async (t) => {
  const { as, platform, url } = await boot(t, 'agents')
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
  const { as } = await boot(t, 'agents')
  const ada = as('ada')
  const path = `/v1/agents/${(await ada.agent()).id}/knowledgebase`

  t.match(await ada.get(path), { status: 200, body: { data: { content: '', version: 0, updatedAt: null } } })
  t.match(await ada.put(path, { content: 'We ship on Fridays.' }, { 'if-match': '"0"' }), {
    status: 200,
    body: { data: { content: 'We ship on Fridays.', version: 1 } }
  })
  t.match(await ada.put(path, { content: 'Never.' }, { 'if-match': '"0"' }), { status: 412 })
  t.match(await ada.put(path, { content: 'On Mondays.' }), { body: { data: { version: 2 } } })
  t.match(await ada.get(path), { body: { data: { content: 'On Mondays.', version: 2 } } })
  t.match(await ada.put(path, {}), { status: 400, body: { error: { param: '/content' } } })
  t.match(await as('eve').get(path), { status: 403 })
  t.match(await as('eve').put(path, { content: '' }), { status: 403 })
  t.match(await ada.get('/v1/agents/agent_nope/knowledgebase'), { status: 404 })
})

t.test('peers are pinned and unpinned', async (t) => {
  const { as, settled } = await boot(t, 'agents')
  const [ada, eve] = [as('ada'), as('eve')]
  const [agent, peer, hers] = [await ada.agent(), await ada.agent(), await eve.agent()]
  const path = `/v1/agents/${agent.id}/preferred-connections`

  const pinned = await ada.post(path, { peerAgentId: peer.id, note: 'for sums' })
  t.match(pinned, {
    status: 201,
    body: { data: { agentId: agent.id, peerAgentId: peer.id, note: 'for sums' } }
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

t.test('a deleted agent is gone at once', async (t) => {
  const { as } = await boot(t, 'agents')
  const ada = as('ada')
  const agent = await ada.agent()
  const path = `/v1/agents/${agent.id}`

  t.match(await as('eve').delete(path), { status: 403 })
  t.match(await ada.delete(path, { 'if-match': '"7"' }), { status: 412 })
  t.match(await ada.delete(path), { status: 200, body: { data: { id: agent.id, deleted: true } } })
  for (const gone of [path, `${path}/knowledgebase`, `${path}/preferred-connections`])
    t.equal((await ada.get(gone)).status, 404)
  t.equal((await ada.put(path, { name: 'Back' })).status, 404)
  t.equal((await ada.delete(path)).status, 404)
  t.same((await ada.get('/v1/agents')).body.data, [])
})

t.test('nothing is kept for an agent that goes at the same time', async (t) => {
  const { as, platform } = await boot(t, 'agents')
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
    t.same(await platform.knex(`agents.${kept}`).select(), [], kept)
})
