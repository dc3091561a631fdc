import t from 'tap'
import { boot } from '../boot.ts'
import { refused } from './refused.ts'

// Each request is wrong in every way from its place on; the first check that it meets is the one that answers.

t.test('the order of checks', async (t) => {
  const limits = { GATEWAY_LIMIT_PER_MINUTE: '8', PLATFORM_LIMIT_PER_MINUTE: '3' }
  const { as, anyone } = await boot(t, 'goals', { env: limits })
  const [ada, eve] = [as('ada', { project: 'first' }), as('eve', { project: 'second' })]
  const narrow = as('ada', { project: 'first', scopes: ['goals:read'] })
  const agent = await ada.agent()
  const bad = { nmae: 1 }
  const stale = { 'if-match': '"99"' }

  refused(t, await anyone.put('/v1/nope', bad), 404, { message: /Route/ }, 'no route, no credential')
  refused(t, await anyone.put('/v1/agents/agent_nope?x=1', bad), 401, {}, 'no credential, no scope')
  refused(
    t,
    await narrow.put('/v1/agents/agent_nope?x=1', bad),
    403,
    { code: 'scope_missing' },
    'no scope, bad body'
  )
  refused(t, await eve.put('/v1/agents/agent_nope', bad), 400, { param: '/nmae' }, 'bad body, no such agent')
  refused(t, await eve.put('/v1/agents/agent_nope', { name: 'x' }, stale), 404, {}, 'no such agent, stale')
  refused(t, await eve.put(`/v1/agents/${agent.id}`, { name: 'x' }, stale), 403, { code: 'not_owner' })

  for (let taken = 0; taken < 3; taken++) t.match(await ada.get(`/v1/agents/${agent.id}`), { status: 200 })
  refused(
    t,
    await ada.put(`/v1/agents/${agent.id}`, { name: 'x' }, stale),
    429,
    { message: /agent/ },
    'agent limit, stale'
  )
  refused(t, await eve.get(`/v1/agents/${agent.id}`), 403, {}, 'someone else is 403, not 429')

  while ((await ada.get('/v1/agents')).status === 200);
  refused(t, await ada.put('/v1/agents/agent_nope', bad), 429, {}, 'gateway limit, bad body')
  refused(
    t,
    await narrow.put('/v1/agents/agent_nope', bad),
    403,
    { code: 'scope_missing' },
    'scope before the limit'
  )
  refused(t, await anyone.put('/v1/agents/agent_nope', bad), 401)
  refused(t, await ada.put('/v1/nope', bad), 404)
})

t.test('412 and 409 come last', async (t) => {
  const { as } = await boot(t, 'goals')
  const ada = as('ada')
  const agent = await ada.agent()
  const path = `/v1/agents/${agent.id}`
  refused(t, await ada.put(path, { name: 'x' }, { 'if-match': '"99"' }), 412)
  refused(t, await ada.put(path, { name: '' }, { 'if-match': '"99"' }), 400, { param: '/name' })
  refused(t, await ada.put(path, { name: 'x' }, { 'if-match': '99' }), 400, { param: 'if-match' })
  refused(t, await ada.put(path, { name: 'x' }, { 'if-match': 'W/"1"' }), 400, { param: 'if-match' })
  t.match(await ada.put(path, { name: 'x' }, { 'if-match': '*' }), { status: 200 })
  const { headers } = await ada.get(path)
  t.equal(headers.get('etag'), '"2"')
  t.match(await ada.put(path, { name: 'y' }, { 'if-match': '"2"' }), {
    status: 200,
    body: { data: { version: 3 } }
  })
})

t.test('an unknown route is 404 whatever comes with it', async (t) => {
  const { anyone } = await boot(t, 'goals')
  const bodies: [string, string][] = [
    ['application/json', '{'],
    ['text/plain', 'x'],
    ['application/json', `"${'x'.repeat(2_000_000)}"`]
  ]
  for (const [type, body] of bodies)
    for (const path of ['/nope', '/v1/nope']) {
      const reply = await anyone.request('POST', path, { body, headers: { 'content-type': type } })
      refused(t, reply, 404, { message: /Route/ }, `${path}, ${type} of ${body.length}`)
    }
})
