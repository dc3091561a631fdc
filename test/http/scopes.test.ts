import t from 'tap'
import { boot } from '../boot.ts'
import { createClient } from '../client.ts'
import { probeFolder, SECRET } from './probe.ts'
import { refused } from './refused.ts'
import { openWire, requestText } from './wire.ts'

t.test('what a key may', async (t) => {
  const folders = [await probeFolder(t)]
  const { as, admin } = await boot(t, { folders })
  const ada = as('ada')
  const agent = await ada.agent()
  const goal = await ada.post('/v1/goals', { agentId: agent.id, title: 'x' })
  const goals = `/v1/goals/${goal.body.data.id}`
  const lacking = { code: 'scope_missing' }

  const reads = as('ada', { scopes: ['agents:read'] })
  t.match(await reads.get(`/v1/agents/${agent.id}`), { status: 200 })
  refused(t, await reads.put(`/v1/agents/${agent.id}`, { name: 'x' }), 403, lacking)
  refused(t, await reads.post('/v1/agents', { name: 'x' }), 403, { ...lacking, message: /agents:create/ })
  refused(
    t,
    await reads.get(goals),
    403,
    { ...lacking, message: /goals:read/ },
    'by ownership too, when narrowed'
  )
  t.match(await reads.get('/v1/auth/me'), { status: 200, body: { data: { narrowed: true } } })
  refused(t, await reads.get('/v1/auth/api-keys'), 403, lacking)

  const readsGoals = as('ada', { scopes: ['goals:read'] })
  t.match(await readsGoals.get(goals), { status: 200 })
  refused(t, await readsGoals.put(goals, { progress: 1 }), 403, lacking)
  const writesGoals = as('ada', { scopes: ['goals:write'] })
  t.match(await writesGoals.put(goals, { progress: 1 }), { status: 200 })
  refused(t, await writesGoals.get(goals), 403, lacking)
  t.match(await ada.get(goals), { status: 200 }, 'a key that was not narrowed needs none')

  for (const [client, name] of [
    [ada, 'a whole key'],
    [as('bot', { type: 'service' }), 'a service'],
    [reads, 'a narrowed key']
  ] as const) {
    refused(t, await client.get('/v1/packs'), 403, lacking, name)
    refused(t, await client.get('/v1/probe/admin'), 403, lacking, name)
    refused(t, await client.put('/v1/packs/nope', { enabled: 'x' }), 403, lacking, name)
  }
  t.match(await admin.get('/v1/packs'), { status: 200 })
  t.match(await admin.get('/v1/probe/admin'), { status: 200 })
  refused(t, await admin.get(goals), 403, { code: 'not_owner' }, 'and owns nothing by that')
})

t.test('keys that keys make', async (t) => {
  const { as, admin, url } = await boot(t, 'goals', 'packs')
  const post = (client: typeof admin, fields: object) =>
    client.post('/v1/auth/api-keys', { name: 'made', ...fields })
  const narrow = as('ada', { scopes: ['auth:write', 'agents:read'] })

  refused(t, await post(narrow, { scopes: ['agents:write'] }), 403, { param: '/scopes' }, 'more than it has')
  refused(t, await post(as('ada'), { scopes: ['platform:admin'] }), 403, { param: '/scopes' })
  refused(t, await post(as('ada'), { scopes: ['agents:read', 'agents:fly'] }), 400, { param: '/scopes/1' })
  refused(t, await post(as('ada'), { scopes: [] }), 400, { param: '/scopes' })
  const less = await post(narrow, { scopes: ['agents:read'] })
  t.match(less, { status: 201, body: { data: { key: /^apk_/, scopes: ['agents:read'] } } })
  const client = createClient(url, 'less', less.body.data.key)
  t.match(await client.get('/v1/agents'), { status: 200 })
  refused(t, await post(client, {}), 403, { code: 'scope_missing' })

  const ofAdmin = await post(admin, {})
  t.notMatch(ofAdmin.body.data.scopes, ['platform:admin'])
  refused(t, await createClient(url, 'x', ofAdmin.body.data.key).get('/v1/packs'), 403)
})

t.test('what a type of principal may, and who opens a socket', async (t) => {
  const { as, url } = await boot(t, 'probe', { folders: [await probeFolder(t)] })
  const { id } = await as('ada').agent()
  const people = '/v1/probe/people'
  t.match(await as('ada').post(people), { status: 200 })
  t.match(await as('crm', { type: 'service' }).post(people), { status: 200 })
  refused(t, await as(id, { type: 'agent' }).post(people), 403, { code: 'agent_principal' })

  const open = async (path: string) => {
    const wire = await openWire(t, url)
    wire.send(
      requestText('GET', `/v1/probe/sockets/${path}`, { connection: 'upgrade', upgrade: 'websocket' })
    )
    return wire.reply()
  }
  t.match(await open(SECRET), { status: 200, text: 'bearer' }, 'a path token stands for a credential')
  refused(t, await open('guessed'), 401)
  refused(t, await open(`${SECRET}?refuse=1`), 401)
  refused(t, await open(`${SECRET}?as=agent`), 403, { code: 'agent_principal' })
})
