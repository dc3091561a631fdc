import t from 'tap'
import { boot } from '../../../test/boot.ts'
import type { Client } from '../../../test/client.ts'
import type { CapabilityCall } from '../contract.ts'
import type { Installations } from '../services/installations.ts'
import { appOf } from './testbed.ts'

const booted = await boot(t, 'ui-plugins')
const { as, anyone, platform, admin, settled } = booted
const [ada, eve] = [as('ada'), as('eve')]
const path = '/v1/ui-plugins'
const refuses = (status: number, code?: string, param?: string) => ({
  status,
  body: { error: { ...(code && { code }), ...(param && { param }) } }
})
const deps = () =>
  platform.server.current().packs.get('ui-plugins')?.deps as unknown as { installations: Installations }
const installation = (id: string, pluginId: string) =>
  deps().installations.of({ id, project: 'default', owner: id, type: 'user' } as never, pluginId)
const all = {
  capabilities: [{ name: 'agents.read' }, { name: 'agents.list' }],
  hosts: ['*.weather.example']
}
/** A registered app of its own for each test. */
const registered = async (client: Client, id: string) => {
  await client.put(path, appOf({ id }))
  const at = `${path}/${id}`
  return {
    at,
    status: (body: object, by = client, headers = {}) => by.put(`${at}/status`, body, headers),
    grants: (body: object, by = client, headers = {}) => by.put(`${at}/grants`, body, headers),
    update: (manifest: object, more: object = {}) =>
      client.put(path, { ...appOf({ id, ...manifest }), ...more }),
    read: async (by = client) => (await by.get(at)).body.data
  }
}

t.test('an owner enables an app for themselves, with grants', async (t) => {
  const app = await registered(ada, 'for-ada')
  t.match(await app.grants(all), refuses(409, 'app_not_enabled'))
  t.match(await app.status({ status: 'off' }), refuses(409, 'app_not_enabled'))
  t.match(await app.status({ status: 'enabled' }), {
    status: 200,
    body: {
      data: {
        status: 'enabled',
        audience: 'owner',
        enabled: { version: '1.0.0' },
        draft: null,
        grants: { capabilities: [], hosts: [] }
      }
    }
  })
  t.match(
    (await app.read()).consent,
    [{ name: 'agents.read', isNew: false }, {}, {}],
    'asked for, and not given'
  )
  t.match(await app.status({ status: 'enabled', grants: all }), {
    body: { data: { grants: all, consent: [] } }
  })
  const { body } = await app.grants({ ...all, capabilities: [{ name: 'agents.read', agents: ['agent_x'] }] })
  t.match(body.data.grants.capabilities, [{ name: 'agents.read', agents: ['agent_x'] }])
  t.match(await installation('ada', 'for-ada'), { version: '1.0.0', grants: body.data.grants, owner: 'ada' })
  t.equal(
    await (await installation('ada', 'for-ada')).load(),
    'export const functions = { forecast: () => ({ sunny: true }) }\n'
  )
  await t.rejects(installation('eve', 'for-ada'), { code: 'not_owner' })

  const { version } = body.data
  t.match(await app.grants(all, ada, { 'if-match': '"1"' }), refuses(412))
  t.match(await app.status({ status: 'off' }, ada, { 'if-match': '"1"' }), refuses(412))
  t.equal((await app.grants(body.data.grants)).body.data.version, version, 'the same again is no edit')
  t.match(await app.status({ status: 'off' }), {
    body: { data: { status: 'off', enabled: { version: '1.0.0' } } }
  })
  await t.rejects(installation('ada', 'for-ada'), { code: 'app_not_enabled' })
  t.match(
    await app.status({ status: 'enabled' }),
    { body: { data: { grants: body.data.grants } } },
    'as it was'
  )
  await settled()
})

t.test('grants are no more than what is asked for, and understood', async (t) => {
  const app = await registered(ada, 'no-more')
  const enable = (grants: object) =>
    app.status({ status: 'enabled', grants: { capabilities: [], hosts: [], ...grants } })
  const at = (rest: string) => `/grants/${rest}`
  t.match(
    await enable({ capabilities: [{ name: 'runs.start' }] }),
    refuses(400, undefined, at('capabilities/0/name'))
  )
  t.match(await enable({ hosts: ['evil.example'] }), refuses(400, undefined, at('hosts/0')))
  t.match(await enable({ hosts: ['*'] }), refuses(400, undefined, at('hosts/0')))
  const spaces = [{ name: 'agents.read', spaces: ['space_x'] }]
  t.match(await enable({ capabilities: spaces }), refuses(400, undefined, at('capabilities/0/spaces')))
  t.match(await enable({ unheard: 1 }), refuses(400, undefined, at('unheard')))
  t.match(await app.status({ status: 'enabled', version: '9.9.9' }), refuses(404, undefined, '/version'))
  t.match(await app.status({ status: 'draft' }), refuses(400, undefined, '/status'))
  t.match(await app.status({ status: 'off', audience: 'owner' }), refuses(400, undefined, '/audience'))
  t.equal((await enable({ hosts: ['api.weather.example'] })).status, 200)
  t.match(await app.grants({ capabilities: [], hosts: ['x.example'] }), refuses(400, undefined, '/hosts/0'))

  await app.update({ version: '1.1.0', capabilities: [{ name: 'moon.land', reason: 'One small step' }] })
  t.match((await app.read()).consent, [{ name: 'moon.land', risk: 'high', text: /nothing on this platform/ }])
  const moon = { capabilities: [{ name: 'moon.land' }] }
  t.match(await enable(moon), refuses(400, 'capability_missing', at('capabilities/0/name')))
})

t.test('nobody else decides about an app, and for the project a maintainer', async (t) => {
  const app = await registered(ada, 'decided')
  for (const [put, body] of [
    [app.status, { status: 'enabled' }],
    [app.grants, all]
  ] as const) {
    t.match(await put(body, eve), refuses(403, 'not_owner'))
    t.match(await put(body, as('zoe', { project: 'elsewhere' })), refuses(404))
    t.match(await put(body, anyone), refuses(401))
  }
  t.match(await ada.put(`${path}/unheard-of/status`, { status: 'off' }), refuses(404))
  t.match(await ada.put(`${path}/unheard-of/grants`, all), refuses(404))
  t.match(
    await app.status({ status: 'enabled' }, admin),
    refuses(403, 'not_owner'),
    'not in the owner’s name'
  )
  t.match(await app.status({ status: 'enabled', audience: 'project' }), refuses(403, 'maintainer_required'))
  t.match(await app.status({ status: 'enabled', audience: 'project', grants: all }, admin), { status: 200 })

  t.match(await installation('eve', 'decided'), { audience: 'project', owner: 'ada' })
  t.equal((await app.read(eve)).name, 'Weather desk')
  t.same((await eve.get(path)).body.data.length, 1)
  t.match(await app.grants({ ...all, hosts: [] }, eve), refuses(403))

  t.match(await app.grants({ ...all, hosts: [] }), { status: 200 }, 'the owner takes away')
  t.match(await app.grants(all), refuses(403, 'maintainer_required'), 'and does not give back')
  t.match(await app.grants(all, admin), { status: 200 })
  t.match(await app.status({ status: 'off' }), { status: 200 })
  t.match(await app.status({ status: 'enabled' }), refuses(403, 'maintainer_required'))
  t.match(await app.status({ status: 'enabled', audience: 'owner' }), { status: 200 }, 'for themselves')
  await t.rejects(installation('eve', 'decided'), { code: 'not_owner' })
  t.match(await app.status({ status: 'off' }, admin), { status: 200 }, 'a maintainer turns off any')
  t.match(await app.status({ status: 'enabled' }, admin), refuses(403, 'not_owner'))
})

t.test('an update that asks for more waits until a person agrees', async (t) => {
  const app = await registered(ada, 'grows')
  await app.status({ status: 'enabled', grants: all })
  const activate = { activate: true }
  const more = {
    egress: [
      { host: '*.weather.example', reason: 'x' },
      { host: 'b.example', reason: 'Backups' }
    ]
  }

  t.match(await app.update({ version: '1.0.1' }), {
    body: { data: { enabled: { version: '1.0.0' }, consent: [] } }
  })
  t.match(await app.update({ version: '1.0.2' }, activate), {
    body: { data: { enabled: { version: '1.0.2' }, draft: null, grants: all } }
  })
  const waiting = await app.update({ version: '1.1.0', ...more }, activate)
  t.match(waiting.body.data, {
    enabled: { version: '1.0.2' },
    draft: { version: '1.1.0' },
    grants: all,
    consent: [
      { kind: 'host', name: 'b.example', risk: 'medium', text: /b\.example/, reason: 'Backups', isNew: true }
    ]
  })
  t.equal((await installation('ada', 'grows')).version, '1.0.2', 'the old one goes on')
  t.match(await app.status({ status: 'enabled', grants: { ...all, hosts: ['b.example'] } }), {
    body: { data: { enabled: { version: '1.1.0' }, draft: null, grants: { hosts: ['b.example'] } } }
  })
  t.match(await installation('ada', 'grows'), { version: '1.1.0' })
  t.match(
    await app.status({ status: 'enabled', version: '1.0.1' }),
    {
      body: { data: { enabled: { version: '1.0.1' }, grants: { hosts: [] } } }
    },
    'back to one that asks for less, with what is left of the grants'
  )

  await app.status({ status: 'enabled', version: '1.0.2', audience: 'project', grants: all }, admin)
  t.match(await app.update({ version: '1.0.3' }, activate), {
    body: { data: { enabled: { version: '1.0.3' } } }
  })
  const tools = [...appOf().manifest.functions, { ...appOf().manifest.functions[0], name: 'alert' }]
  await app.update({ version: '1.2.0', functions: tools }, activate)
  t.equal((await app.read()).enabled.version, '1.0.3')
  t.match(
    await app.status({ status: 'enabled' }),
    refuses(403, 'maintainer_required'),
    'a tool for all of the project'
  )
  t.match(await app.status({ status: 'enabled' }, admin), {
    body: { data: { enabled: { version: '1.2.0' } } }
  })
})

t.test('capabilities come from packs, in pages', async (t) => {
  const { body } = await ada.get(`${path}/capabilities?limit=100`)
  t.match(body.data.slice(0, 2), [
    { name: 'agents.list', pack: 'agents', risk: 'low', narrowedTo: 'agents', scope: ['agents:read'] },
    { name: 'agents.read', params: { required: ['agentId'] }, result: { type: 'object' }, idempotent: true }
  ])
  const first = (await ada.get(`${path}/capabilities?limit=1`)).body
  t.match((await ada.get(`${path}/capabilities?limit=1&cursor=${first.nextCursor}`)).body.data, [
    { name: 'agents.read' }
  ])
  t.match(await ada.get(`${path}/capabilities?unheard=1`), refuses(400, undefined, 'unheard'))
  t.match(await anyone.get(`${path}/capabilities`), refuses(401))
})

t.test('what agents offer is what the caller may, as far as it was granted', async (t) => {
  const offered = (name: string) => {
    const found = platform.points.all('ui-plugins.capability').find(({ key }) => key === name)
    if (!found) throw new Error(`No ${name}`)
    return found.value
  }
  const [one, other] = [
    await ada.agent({ name: 'One', instructions: 'Be brief' }),
    await ada.agent({ name: 'Other' })
  ]
  const by = { id: 'ada', project: 'default', owner: 'ada', type: 'user', scopes: new Set() } as never
  const context = (grant: object) => ({ grant: { name: '', ...grant } }) as CapabilityCall
  const list = async (grant: object, params: object = {}) => {
    const given = await offered('agents.list').call(by, params, context(grant))
    const { data, nextCursor } = given as { data: { id: string; name: string }[]; nextCursor: string }
    return { agents: data.map(({ id, name }) => ({ id, name })), nextCursor }
  }

  t.same((await list({})).agents, [
    { id: other.id, name: 'Other' },
    { id: one.id, name: 'One' }
  ])
  t.same((await list({ agents: [one.id, 'agent_nope'] })).agents, [{ id: one.id, name: 'One' }])
  const page = await list({ agents: [one.id, other.id] }, { limit: 1 })
  t.same((await list({ agents: [one.id, other.id] }, { cursor: page.nextCursor })).agents, [
    { id: one.id, name: 'One' }
  ])
  const read = (agentId: string) => offered('agents.read').call(by, { agentId }, context({}))
  t.match(await read(one.id), { name: 'One', instructions: 'Be brief' })
  await t.rejects(read((await eve.agent()).id), { code: 'not_owner', param: '/agentId' })
  await t.rejects(read('agent_nope'), { message: 'Agent not found' })
})

t.test('what was decided is told', async (t) => {
  const rows = await platform
    .knex('kernel.fact')
    .where('name', 'like', 'ui-plugins.%')
    .select('name')
    .limit(500)
  const told = new Set(rows.map(({ name }: { name: string }) => name))
  for (const name of ['registered', 'enabled', 'disabled', 'grants_changed'])
    t.ok(told.has(`ui-plugins.${name}`), name)
})
