import t from 'tap'
import { assign, puppetStage, registering } from './testbed.ts'

t.test('agents and their tools', async (t) => {
  const { booted, ada } = await puppetStage(t)
  const { as, anyone, settled, platform } = booted
  const { knex } = platform
  const eve = as('eve')
  const tool = registering(ada)
  const agentsOwn = (agent: { id: string }) => as(agent.id, { type: 'agent' })
  const factsOf = async (agent: { id: string }) => {
    await settled()
    const facts = await knex('kernel.fact').where({ subject: agent.id }).orderBy('id')
    return facts.filter(({ name }) => name.startsWith('tools.')).map(({ name, data }) => [name, data.id])
  }

  t.test('a tool is assigned, listed, changed and taken away', async (t) => {
    const agent = await ada.agent()
    const path = `/v1/agents/${agent.id}/tools`
    const one = await tool()
    const { status, body, headers } = await ada.post(path, { toolId: one.name })
    t.equal(status, 201)
    t.equal(headers.get('etag'), '"1"')
    const assignment = body.data
    t.match(assignment, {
      id: /^assign_/,
      agentId: agent.id,
      toolId: one.id,
      toolName: one.name,
      policy: 'allow',
      enabled: true,
      version: 1
    })
    t.notOk('project' in assignment)
    const asked = await ada.post(path, { toolId: 'act', policy: 'ask', enabled: false })
    t.match(asked, {
      status: 201,
      body: { data: { toolId: 'act', toolName: 'act', policy: 'ask', enabled: false } }
    })

    const first = await ada.get(`${path}?limit=1`)
    t.same(first.body.data, [asked.body.data])
    const second = await ada.get(`${path}?limit=1&cursor=${first.body.nextCursor}`)
    t.same(second.body, { data: [assignment], nextCursor: null })

    const own = `/v1/agents/tools/${assignment.id}`
    t.match(await ada.patch(own, { policy: 'deny' }, { 'if-match': '"1"' }), {
      status: 200,
      body: { data: { policy: 'deny', enabled: true, version: 2 } }
    })
    t.match(await ada.patch(own, { enabled: false }, { 'if-match': '"1"' }), { status: 412 })
    t.match(await ada.patch(own, { ...assignment, enabled: false }), {
      status: 200,
      body: { data: { policy: 'allow', enabled: false, version: 3 } }
    })
    t.match(await ada.delete(own), {
      status: 200,
      body: { data: { id: assignment.id, deleted: true } }
    })
    t.match(await ada.delete(own), { status: 404 })
    t.match(await ada.patch(own, { enabled: true }), { status: 404 })
    t.same((await ada.get(path)).body.data, [asked.body.data])
    t.same(await factsOf(agent), [
      ['tools.assigned', assignment.id],
      ['tools.assigned', asked.body.data.id],
      ['tools.assignment_updated', assignment.id],
      ['tools.assignment_updated', assignment.id],
      ['tools.unassigned', assignment.id]
    ])
  })

  t.test('what is another owner’s, unknown or wrong is refused', async (t) => {
    const agent = await ada.agent()
    const path = `/v1/agents/${agent.id}/tools`
    const mine = await tool()
    const hers = await tool(eve)
    const { id } = await assign(ada, agent, mine.id)
    const own = `/v1/agents/tools/${id}`

    for (const reply of [
      await eve.get(path),
      await eve.post(path, { toolId: hers.id }),
      await eve.patch(own, { policy: 'deny' }),
      await eve.delete(own),
      await as('ada', { project: 'elsewhere' }).patch(own, { policy: 'deny' }),
      await as('ada', { project: 'elsewhere' }).get(path)
    ])
      t.match(reply, { status: 403, body: { error: { code: 'not_owner' } } })
    t.match(await ada.post(path, { toolId: hers.id }), {
      status: 403,
      body: { error: { param: '/toolId', code: 'not_granted' } }
    })
    const abroad = await tool(as('ada', { project: 'elsewhere' }))
    t.match(await ada.post(path, { toolId: abroad.id }), {
      status: 403,
      body: { error: { param: '/toolId', code: 'not_owner' } }
    })
    t.match(await ada.post(path, { toolId: abroad.name }), { status: 404 }, 'a name is of a project')
    for (const toolId of ['nothing', 'tool_01k4qz0000e0080000000000ab'])
      t.match(await ada.post(path, { toolId }), { status: 404, body: { error: { param: '/toolId' } } })
    t.match(await ada.post('/v1/agents/agent_nope/tools', { toolId: mine.id }), { status: 404 })
    t.match(await ada.get('/v1/agents/agent_nope/tools'), { status: 404 })
    t.match(await ada.patch('/v1/agents/tools/assign_nope', { policy: 'deny' }), { status: 404 })
    for (const [body, param] of [
      [{}, '/toolId'],
      [{ toolId: mine.id, policy: 'maybe' }, '/policy'],
      [{ toolId: mine.id, enabled: 'yes' }, '/enabled'],
      [{ toolId: mine.id, agentId: agent.id }, '/agentId']
    ] as const)
      t.match(await ada.post(path, body), { status: 400, body: { error: { param } } })
    t.match(await ada.patch(own, { policy: null }), { status: 400, body: { error: { param: '/policy' } } })
    t.match(await ada.post(path, { toolId: mine.name }), {
      status: 409,
      body: { error: { code: 'already_assigned' } }
    })
    t.match(await anyone.get(path), { status: 401 })
    t.match(await anyone.post(path, { toolId: 'act' }), { status: 401 })
    const reader = as('ada', { scopes: ['agents:read'] })
    t.match(await reader.get(path), { status: 200 })
    t.match(await reader.post(path, { toolId: 'act' }), {
      status: 403,
      body: { error: { code: 'scope_missing' } }
    })
  })

  t.test('a tool of another owner is assigned by whom it was granted to', async (t) => {
    const agent = await ada.agent()
    const hers = await tool(eve)
    const grant = { toolId: hers.id, subjectType: 'user', subjectId: 'ada', level: 'use' }
    t.match(await eve.post('/v1/tool-permissions/grant', grant), { status: 201 })
    t.match(await ada.post(`/v1/agents/${agent.id}/tools`, { toolId: hers.name }), { status: 201 })
  })

  t.test('an agent gives itself nothing, but may go without', async (t) => {
    const agent = await ada.agent()
    const path = `/v1/agents/${agent.id}/tools`
    const itself = agentsOwn(agent)
    const { id } = await assign(ada, agent, (await tool()).id, { policy: 'ask' })
    const own = `/v1/agents/tools/${id}`
    const refused = { status: 403, body: { error: { code: 'agent_principal' } } }

    t.match(await itself.get(path), { status: 200, body: { data: [{ id }] } })
    t.match(await itself.post(path, { toolId: 'act' }), refused)
    t.match(await itself.patch(own, { policy: 'allow' }), refused)
    t.match(await itself.patch(own, { policy: 'deny', enabled: false }), { status: 200 })
    t.match(await itself.patch(own, { enabled: true }), refused)
    t.match(await itself.patch(own, { policy: 'ask' }), refused)
    t.match(await itself.delete(own), { status: 200 })
  })

  t.test('an agent has at most 128 tools, also when many are assigned at once', async (t) => {
    const agent = await ada.agent()
    const rows = Array.from({ length: 126 }, (_, n) => ({
      project: 'default',
      id: `assign_${agent.id}_${n}`,
      owner: 'ada',
      agentId: agent.id,
      toolId: `gone_${n}`,
      policy: 'allow',
      enabled: true
    }))
    await knex('tools.assignment').insert(rows)
    const path = `/v1/agents/${agent.id}/tools`
    const tools = await Promise.all(Array.from({ length: 6 }, () => tool()))
    const replies = await Promise.all(tools.map(({ id }) => ada.post(path, { toolId: id })))
    t.same(replies.map(({ status }) => status).sort(), [201, 201, 409, 409, 409, 409])
    t.match(
      replies.find(({ status }) => status === 409),
      { body: { error: { code: 'too_many_tools' } } }
    )
    const { id } = tools[replies.findIndex(({ status }) => status === 201)] as { id: string }
    t.match(await ada.post(path, { toolId: id }), { body: { error: { code: 'already_assigned' } } })
  })

  t.test('of the same assignments made at once one is made', async (t) => {
    const agent = await ada.agent()
    const { id: toolId } = await tool()
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => ada.post(`/v1/agents/${agent.id}/tools`, { toolId }))
    )
    t.same(replies.map(({ status }) => status).sort(), [201, 409, 409, 409, 409])
  })

  t.test('assignments go with their tool, and with their agent; so do its permissions', async (t) => {
    const agent = await ada.agent()
    const path = `/v1/agents/${agent.id}/tools`
    const [one, two] = [await tool(), await tool()]
    const first = await assign(ada, agent, one.id)
    const second = await assign(ada, agent, two.id)
    const grant = { toolId: two.id, subjectType: 'agent', subjectId: agent.id, level: 'manage' }
    t.match(await ada.post('/v1/tool-permissions/grant', grant), { status: 201 })
    t.match(await ada.delete(`/v1/tools/${one.id}`), { status: 200 })
    t.match((await ada.get(path)).body.data, [{ id: second.id }])
    t.match(await ada.patch(`/v1/agents/tools/${first.id}`, { enabled: false }), { status: 404 })

    t.match(await ada.delete(`/v1/agents/${agent.id}`), { status: 200 })
    t.match(await ada.get(path), { status: 404 })
    t.match(await ada.patch(`/v1/agents/tools/${second.id}`, { enabled: false }), { status: 404 })
    await settled()
    const left = async () => [
      ...(await knex('tools.assignment').where({ agentId: agent.id })),
      ...(await knex('tools.permission').where({ subjectId: agent.id }))
    ]
    // The removal takes its time after the fact: without it this never ends.
    while ((await left()).length > 0);
    t.same(await left(), [])
  })

  t.test('a tool and an agent that go meanwhile leave no assignment behind', async (t) => {
    for (let round = 0; round < 5; round++) {
      const agent = await ada.agent()
      const { id: toolId } = await tool()
      const [assigned, removed] = await Promise.all([
        ada.post(`/v1/agents/${agent.id}/tools`, { toolId }),
        ada.delete(`/v1/tools/${toolId}`)
      ])
      t.equal(removed.status, 200)
      t.ok([201, 404].includes(assigned.status), `assigned: ${assigned.status}`)
      t.same(await knex('tools.assignment').where({ toolId }), [])
    }
  })

  t.test('a service on behalf of a user assigns to that user’s agents alone', async (t) => {
    const service = as('bot', { type: 'service' })
    const agent = await ada.agent()
    const path = `/v1/agents/${agent.id}/tools`
    const forAda = { 'x-initiator': 'ada' }
    const forEve = { 'x-initiator': 'eve' }
    t.match(await service.post(path, { toolId: 'act' }, forEve), { status: 403 })
    t.match(await service.post(path, { toolId: 'act' }, forAda), { status: 201 })
    t.match(await service.post(path, { toolId: 'ask' }), { status: 201 })
    t.match(await service.get(path, forEve), { status: 403 })
    const hers = await tool(eve)
    t.match(await service.post(path, { toolId: hers.id }, forAda), {
      status: 403,
      body: { error: { code: 'not_granted' } }
    })
    t.match(await service.post(path, { toolId: hers.id }), { status: 201 }, 'it reaches all')
  })
})
