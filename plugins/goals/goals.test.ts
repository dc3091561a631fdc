import t from 'tap'
import { boot } from '../../test/boot.ts'

t.test('an owner sets a goal and moves it along', async (t) => {
  const { as, anyone } = await boot(t, 'goals')
  const ada = as('ada')
  const agent = await ada.agent()

  const { status, body } = await ada.post('/v1/goals', { agentId: agent.id, title: 'Ship the beta' })
  t.equal(status, 201)
  t.match(body.data, { owner: ada.id, title: 'Ship the beta', progress: 0, version: 1 })

  const goal = `/v1/goals/${body.data.id}`
  t.match(await ada.get(goal), { status: 200, body: { data: body.data } })
  t.match(await ada.put(goal, { progress: 40 }), {
    status: 200,
    body: { data: { progress: 40, version: 2 } }
  })
  t.match(await ada.put(goal, { progress: 50 }, { 'if-match': '"1"' }), { status: 412 })
  t.match(await ada.put(goal, { progress: 140 }), {
    status: 400,
    body: { error: { param: '/progress' } }
  })
  t.match(await ada.put(goal, { ...body.data, progress: 60 }), { status: 200 })
  t.match(await ada.put(goal, { progess: 60 }), {
    status: 400,
    body: { error: { param: '/progess' } }
  })
  t.match(await as('eve').get(goal), { status: 403, body: { error: { type: 'permission_error' } } })
  t.match(await as('eve').put(goal, { progress: 1 }), { status: 403 })
  t.match(await ada.get('/v1/goals/goal_nope'), {
    status: 404,
    body: { error: { type: 'not_found' } }
  })
  t.match(await anyone.get(goal), { status: 401, body: { error: { type: 'authentication_error' } } })
})

t.test('a goal is for an agent that its maker owns', async (t) => {
  const { as } = await boot(t, 'goals')
  const agent = await as('ada').agent()
  const input = { agentId: agent.id, title: 'Mine now' }

  t.match(await as('eve').post('/v1/goals', input), {
    status: 403,
    body: { error: { param: '/agentId' } }
  })
  t.match(await as('eve').post('/v1/goals', { ...input, agentId: 'agent_nope' }), {
    status: 404,
    body: { error: { param: '/agentId' } }
  })
  t.match(await as('ada').post('/v1/goals', { agentId: agent.id }), {
    status: 400,
    body: { error: { param: '/title' } }
  })
})

t.test('a goal goes with its agent', async (t) => {
  const { as, settled } = await boot(t, 'goals')
  const ada = as('ada')
  const agent = await ada.agent()
  const { body } = await ada.post('/v1/goals', { agentId: agent.id, title: 'Ship the beta' })

  await ada.delete(`/v1/agents/${agent.id}`)
  await settled()
  // The removal begins when the fact has been handled, and takes its time: without it this never ends.
  let status = 200
  while (status === 200) status = (await ada.get(`/v1/goals/${body.data.id}`)).status
  t.equal(status, 404)
})
