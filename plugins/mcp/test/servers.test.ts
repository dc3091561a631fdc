import t from 'tap'
import { testResource } from '../../../test/resource.ts'
import { caller, connect, direct, register, stage } from './testbed.ts'
import { echo, toolServer } from './tool-server-fixture.ts'

t.test('tool servers', async (t) => {
  const commands = { echo: ['node', '{[a-z]+[.]js}'], plain: { argv: ['node', 'x.js'], memoryMb: 512 } }
  const booted = await stage(t, { env: { MCP_COMMANDS: JSON.stringify(commands) } })
  const { as, anyone } = booted
  const ada = as('ada')
  const eve = as('eve')
  const url = 'https://tools.example.com/mcp'
  const key = { name: 'k', value: 'sk-very-secret-value', allowedHosts: ['tools.example.com'] }
  const keyId = (await ada.post('/v1/tool-keys', key)).body.data.id

  let made = 0
  t.test('are a resource', (t) =>
    testResource(t, booted, {
      path: '/v1/mcp/servers',
      create: () => ({ name: `resource ${made++}`, url }),
      changes: { name: 'renamed', url: `${url}/v2`, auth: { type: 'key', keyId } },
      searched: { name: 'Quagga' },
      wrong: { name: '  ', url: 1, transport: 'smoke', args: 'all' }
    })
  )

  for (const era of ['legacy', 'modern'] as const)
    t.test(`a server of the ${era} protocol is connected, and its tool called`, async (t) => {
      const { url } = await toolServer(t, era, echo)
      const { server, path, tools } = await connect(ada, { name: `echo ${era}`, url })
      t.match(server, { transport: 'http', url, status: 'new', auth: { type: 'none' }, version: 1 })
      t.match((await ada.get(`${path}/status`)).body.data, {
        status: 'connected',
        open: true,
        server: { name: 'local', version: '1.2.3' },
        protocolVersion: era === 'modern' ? '2026-07-28' : '2025-11-25',
        tools: 1,
        pending: 0
      })
      t.match(tools, [{ originalName: 'echo', name: `echo_${era}__echo`, approved: true, available: true }])
      const call = await caller(ada, tools)
      t.match(await call('echo', { message: 'hi' }), {
        status: 200,
        body: { data: { output: 'Echo: hi', isError: false } }
      })
    })

  t.test('whatever is done with one is done by its owner', async (t) => {
    const server = await register(ada, { name: 'mine', url })
    const path = `/v1/mcp/servers/${server.id}`
    for (const [method, rest] of [
      ['post', '/connect'],
      ['post', '/disconnect'],
      ['get', '/status'],
      ['post', '/sync'],
      ['get', '/tools'],
      ['get', '/resources'],
      ['get', '/resources/read?uri=a:b'],
      ['get', '/prompts'],
      ['post', '/prompts/hello']
    ] as const) {
      const of = `${method} ${rest}`
      t.match(await eve[method](path + rest), { status: 403 }, of)
      t.match(await anyone[method](path + rest), { status: 401 }, of)
      t.match(await ada[method](`/v1/mcp/servers/mcpserver_nope${rest}`), { status: 404 }, of)
    }
  })

  t.test('what is wrong with one is told', async (t) => {
    const refused = async (fields: object, param: string, code?: string) => {
      const { status, body } = await ada.post('/v1/mcp/servers', { name: 'bad', ...fields })
      t.match(
        { status, ...body.error },
        { status: 400, param, ...(code && { code }) },
        JSON.stringify(fields)
      )
    }
    await refused({}, '/url')
    await refused({ url: 'ftp://example.com' }, '/url')
    await refused({ url: 'http://10.0.0.1/mcp' }, '/url')
    await refused({ url: 'https://ada:secret@example.com' }, '/url')
    await refused({ url: `${url}#x` }, '/url')
    await refused({ url, transport: 'smoke' }, '/transport')
    await refused({ url, name: '' }, '/name')
    await refused({ url, command: 'echo' }, '/command')
    await refused({ url, auth: { type: 'key' } }, '/auth/keyId')
    await refused({ url, auth: { type: 'none', keyId: 'x' } }, '/auth/keyId')
    await refused({ url, auth: { type: 'oauth', keyId: 'x' } }, '/auth/keyId')
    await refused({ url, auth: { type: 'oauth', clientSecret: 'x' } }, '/auth/clientId')
    await refused(
      { url, auth: { type: 'oauth', clientId: 'x', clientSecret: { set: true } } },
      '/auth/clientSecret'
    )
    await refused({ url, auth: { type: 'password' } }, '/auth/type')
    await refused({ transport: 'stdio' }, '/command')
    await refused({ transport: 'stdio', command: 'rm', args: ['-rf'] }, '/command', 'command_not_allowed')
    await refused({ transport: 'stdio', command: 'echo' }, '/args/0', 'argument_not_allowed')
    await refused(
      { transport: 'stdio', command: 'echo', args: ['../x.js'] },
      '/args/0',
      'argument_not_allowed'
    )
    await refused({ transport: 'stdio', command: 'plain', args: ['more'] }, '/args/0', 'argument_not_allowed')
    await refused({ transport: 'stdio', command: 'plain', url }, '/url')
    await refused({ transport: 'stdio', command: 'plain', auth: { type: 'oauth' } }, '/auth/type')

    await register(ada, { name: 'taken', url })
    t.match(await ada.post('/v1/mcp/servers', { name: 'taken', url }), {
      status: 409,
      body: { error: { code: 'name_taken' } }
    })
    t.match(await eve.post('/v1/mcp/servers', { name: 'taken', url }), { status: 201 }, 'of another owner')
    t.match(await ada.get('/v1/mcp/servers?cursor=x'), { status: 400, body: { error: { param: 'cursor' } } })
    t.match(await ada.get('/v1/mcp/servers?owner=eve'), { status: 403 })
    const agent = as('agent-of-nobody', { type: 'agent', owner: 'eve' })
    t.match(await agent.get('/v1/mcp/servers'), { status: 403 })
    t.match(await agent.post('/v1/mcp/servers', { name: 'by a model', url }), { status: 403 })
  })

  t.test('a narrowed key needs the pair of scopes', async (t) => {
    t.match(await as('ada', { scopes: ['mcp:read'] }).get('/v1/mcp/servers'), { status: 200 })
    t.match(await as('ada', { scopes: ['mcp:read'] }).post('/v1/mcp/servers', { name: 'n', url }), {
      status: 403
    })
  })

  t.test('disconnected it stays so until it is connected again', async (t) => {
    const { url } = await toolServer(t, 'legacy', echo)
    const { path, tools } = await connect(ada, { url })
    const call = await caller(ada, tools)
    t.match(await ada.post(`${path}/disconnect`), { status: 200, body: { data: { status: 'disconnected' } } })
    t.match((await call('echo', { message: 'hi' })).body.data, { isError: true, output: /disconnected/ })
    t.match(await ada.post(`${path}/sync`), { status: 409, body: { error: { code: 'server_disconnected' } } })
    t.match((await ada.get(`${path}/status`)).body.data, { status: 'disconnected', open: false })
    t.match(await ada.post(`${path}/connect`), { status: 200, body: { data: { status: 'connected' } } })
    t.match((await call('echo', { message: 'hi' })).body.data, { isError: false })
  })

  t.test('of an owner who is disabled are not connected to', async (t) => {
    const { url, seen } = await toolServer(t, 'legacy', echo)
    const gone = as('gone')
    const { server, path, tools } = await connect(gone, { url })
    await gone.post(`${path}/disconnect`)
    const { knex } = booted.platform
    await knex('mcp.server').where({ id: server.id }).update({ status: 'connected' })
    await knex('kernel.principal').where({ id: 'gone' }).update({ disabledAt: knex.fn.now() })
    const before = seen.length
    const failed = await direct(booted, tools)('echo', { message: 'hi' }).catch(({ code }) => code)
    t.equal(failed, 'owner_disabled')
    t.notOk(seen.slice(before).some(({ method }) => method === 'POST'))
  })

  t.test('on every instance', async (t) => {
    const { url } = await toolServer(t, 'legacy', echo)
    const { path, tools } = await connect(ada, { url })
    const other = await stage(t, { beside: booted })
    const there = other.as('ada')
    const call = direct(other, tools)
    t.match(await call('echo', { message: 'hi' }), { output: 'Echo: hi' })
    t.match((await there.get(`${path}/status`)).body.data, { open: true })
    await ada.post(`${path}/disconnect`)
    while ((await there.get(`${path}/status`)).body.data.open)
      await new Promise((resolve) => setImmediate(resolve))
    t.match(await call('echo', { message: 'hi' }), { isError: true })
    await other.close()
  })

  t.test('at another address it is connected anew', async (t) => {
    const one = await toolServer(t, 'legacy', echo)
    const two = await toolServer(t, 'modern', echo)
    const { path, tools } = await connect(ada, { url: one.url })
    const call = await caller(ada, tools)
    t.match(await ada.put(path, { url: two.url }), { status: 200, body: { data: { status: 'new' } } })
    const before = one.seen.length
    t.match((await call('echo', { message: 'hi' })).body.data, { output: 'Echo: hi', isError: false })
    t.same(
      one.seen.slice(before).filter(({ method }) => method === 'POST'),
      [],
      'nothing is sent to the old one but that it is over'
    )
    t.match((await ada.get(`${path}/status`)).body.data, {
      status: 'connected',
      protocolVersion: '2026-07-28'
    })
  })

  t.test('deleted with its tools', async (t) => {
    const { url } = await toolServer(t, 'legacy', echo)
    const { path, tools } = await connect(ada, { url })
    const call = await caller(ada, tools)
    t.match(await ada.delete(path), { status: 200 })
    t.match(await call('echo', { message: 'hi' }), { status: 404 })
    t.match(await ada.get(`/v1/mcp/tools/${tools[0]?.id}`), { status: 404 })
    t.match(await ada.get(`/v1/tools/${tools[0]?.id}`), { status: 404 })
  })
})
