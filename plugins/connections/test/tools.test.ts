import t from 'tap'
import { json } from '../../../test/loopback.ts'
import { connected, endsIn, provider, stage } from './testbed.ts'

t.test('a tool uses a connection instead of a key', async (t) => {
  const there = await provider(t)
  const booted = await stage(t, [there.settings()], {}, 'tools', 'packs')
  const ada = booted.as('ada')
  const { id, path } = await connected(ada, there)
  const agent = await ada.agent()
  let tools = 0
  const tool = async (url = `${there.url}/api`, name = `api_${++tools}`) => {
    const config = { method: 'GET', url }
    const { body } = await ada.post('/v1/tools', { name, description: 'Asks it', config })
    await ada.post(`/v1/agents/${agent.id}/tools`, { toolId: body.data.id })
    return body.data as { id: string; name: string }
  }
  const map = (toolId: string, more: object = {}) =>
    ada.post('/v1/tool-keys/map', { connectionId: id, toolId, ...more })
  const call = async (toolName: string) =>
    ada.post('/v1/agents/tools', { agentId: agent.id, toolName, args: {} })
  const { id: toolId, name } = await tool()

  t.test('that it may use, there, and for what was granted', async (t) => {
    t.match(await map(toolId, { keyId: 'tkey_01k4qz0000e0080000000000ab' }), { status: 400 })
    t.match(await map(toolId, { in: 'query', name: 'token' }), {
      status: 400,
      body: { error: { param: '/in' } }
    })
    t.match(await map(toolId, { scopes: ['admin'] }), {
      status: 403,
      body: { error: { param: '/connectionId', code: 'scope_missing' } }
    })
    const elsewhere = await tool('https://example.com/x')
    t.match(await map(elsewhere.id), { status: 403, body: { error: { code: 'host_not_allowed' } } })
    const eve = booted.as('eve')
    const hers = await eve.post('/v1/tools', {
      name: 'hers',
      description: 'x',
      config: { method: 'GET', url: there.url }
    })
    t.match(await eve.post('/v1/tool-keys/map', { connectionId: id, toolId: hers.body.data.id }), {
      status: 403,
      body: { error: { param: '/connectionId', code: 'not_owner' } }
    })
    t.match(await map('connection_none', {}), { status: 404 })
    t.match(await map(toolId, { scopes: ['read'] }), {
      status: 201,
      body: { data: { keyId: null, connectionId: id, scopes: ['read'], in: 'header', name: 'authorization' } }
    })
    t.match(await map(toolId), { status: 409, body: { error: { code: 'place_taken' } } })

    const list = (query: string, by = ada) => by.get(`/v1/tool-keys/map?${query}`)
    const mapped = { connectionId: id, toolId, toolName: name, scopes: ['read'], owner: 'ada' }
    for (const query of [`toolId=${name}`, `connectionId=${id}`, 'limit=1', ''])
      t.match(await list(query), { status: 200, body: { data: [mapped], nextCursor: null } }, query)
    t.same((await list(`toolId=${elsewhere.id}`)).body.data, [])
    t.same((await list(`connectionId=${id}`, eve)).body.data, [], 'others see nothing of it')
    t.match(await list(`toolId=${toolId}`, eve), {
      status: 403,
      body: { error: { param: 'toolId', code: 'not_owner' } }
    })
    t.match(await list('toolId=tool_none'), { status: 404, body: { error: { param: 'toolId' } } })
    t.match(await list('cursor=made-up'), { status: 400, body: { error: { param: 'cursor' } } })
  })

  t.test('with a token that nobody sees', async (t) => {
    there.state.answers['/api'] = (reply, { headers }) => json(reply, 200, { echo: headers.authorization })
    const { status, text } = await call(name)
    there.state.answers = {}
    t.equal(status, 200)
    t.match(there.at('/api').at(-1)?.headers.authorization, /^Bearer at-/)
    t.notMatch(text, /at-[0-9a-f]{8}-/)
  })

  t.test('which is renewed when it is time, and when it is refused', async (t) => {
    const renewals = there.at('/token').length
    there.expire()
    const asked = there.at('/api').length
    t.match(await call(name), { status: 200, body: { data: { isError: false } } })
    t.equal(there.at('/token').length, renewals + 1)
    t.equal(there.at('/api').length, asked + 2, 'once refused, once taken')
    there.state.answers['/api'] = (reply) => json(reply, 401, {})
    t.match(await call(name), { body: { data: { isError: true } } })
    there.state.answers = {}
    t.equal(
      there.at('/token').length,
      renewals + 1,
      'a service that refuses any is not believed again at once'
    )
    await endsIn(booted, id, -1)
    await ada.put(path, { name: 'Renamed' })
    t.match(await call(name), { status: 200, body: { data: { isError: false } } })
  })

  t.test('and goes nowhere once it is taken back', async (t) => {
    const asked = there.at('/api').length
    await ada.delete(path)
    t.match(await call(name), { status: 409, body: { error: { code: 'connection_missing' } } })
    t.equal(there.at('/api').length, asked)
    await booted.admin.put('/v1/packs/connections', { enabled: false })
    t.match(await call(name), { status: 503, body: { error: { code: 'connections_off' } } })
    const free = await tool()
    t.match(await map(free.id), { status: 503 })
    t.match((await call(free.name)).body.data, { isError: true }, 'tools without one work as ever')
    await booted.admin.put('/v1/packs/connections', { enabled: true })
  })
})
