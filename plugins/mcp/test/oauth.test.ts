import t from 'tap'
import type { Client } from '../../../test/client.ts'
import { guarded } from './oauth-fixture.ts'
import { direct, register, signIn, stage } from './testbed.ts'

const auth = { type: 'oauth' }

t.test('servers that want to be authorized', async (t) => {
  const log: string[] = []
  const booted = await stage(t, { log: (line) => void log.push(JSON.stringify(line)) }, 'console')
  const { as, anyone } = booted
  const ada = as('ada')
  const back = (brought: Record<string, string>, client: Client = anyone) =>
    client.get(`/v1/mcp/oauth/callback?${new URLSearchParams(brought)}`)

  async function begun(
    t: Parameters<typeof guarded>[0],
    options?: Parameters<typeof guarded>[1],
    fields: object = {}
  ) {
    const server = await guarded(t, options)
    const { id } = await register(ada, { url: server.url, auth, ...fields })
    const path = `/v1/mcp/servers/${id}`
    const { status, body } = await ada.post(`${path}/connect`)
    return { server, id, path, status, data: body.data }
  }
  async function allowed(
    t: Parameters<typeof guarded>[0],
    options?: Parameters<typeof guarded>[1],
    fields?: object
  ) {
    const it = await begun(t, options, fields)
    const { state, code } = it.server.agree(it.data.authorizationUrl)
    const { status } = await back({ state, code })
    const tools = (await ada.get(`${it.path}/tools`)).body.data
    return { ...it, returned: status, call: direct(booted, tools) }
  }

  t.test('are authorized by their owner', async (t) => {
    const { server, path, status, data } = await begun(t)
    t.equal(status, 200)
    t.match(data, { status: 'unauthorized', statusReason: /authorize/, authorizationUrl: String })
    const { state, code, order } = server.agree(data.authorizationUrl)
    t.match(Object.fromEntries(order), {
      response_type: 'code',
      client_id: 'client-1',
      code_challenge_method: 'S256',
      code_challenge: /^[\w-]{43}$/,
      redirect_uri: /\/v1\/mcp\/oauth\/callback$/,
      resource: server.url,
      scope: 'tools',
      state: /^mcpconsent_\w{26}\.[\w-]{43}$/
    })
    const refused = { status: 400, body: { error: { param: 'state', code: 'state_invalid' } } }
    t.match(await back({ code }), refused)
    t.match(await back({ state: 'x.y', code }), refused)
    t.match(await back({ state: `${state.slice(0, -1)}${state.endsWith('A') ? 'B' : 'A'}`, code }), refused)
    t.match(await back({ state: state.split('.')[0] as string, code }), refused)

    const reply = await back({ state, code, session_state: 'what others add' })
    t.equal(reply.status, 200)
    t.match(reply.headers.get('content-type'), /^text\/html/)
    t.match(reply.text, /is connected/)
    t.match(await back({ state, code }), refused, 'once')
    t.match((await ada.get(path)).body.data, { status: 'connected', statusReason: null })
    const tools = (await ada.get(`${path}/tools`)).body.data
    t.match(await direct(booted, tools)('echo', { message: 'hi' }), { output: 'Echo: hi' })
    t.notOk(
      server.authorizer.seen.some(({ headers }) => /at-/.test(headers.authorization ?? '')),
      'the token goes to the server alone'
    )
    t.notOk(
      server.seen.some(({ headers }) => /ap_/.test(headers.authorization ?? '')),
      'and no key of the platform does'
    )
  })

  t.test('only the browser that requested an authorization can complete it', async (t) => {
    const server = await guarded(t)
    const { id } = await register(ada, { url: server.url, auth })
    const path = `/v1/mcp/servers/${id}`
    const browser = await signIn(ada)
    const asked = await anyone.post(`${path}/connect`, undefined, browser)
    t.match(asked, { status: 200, body: { data: { status: 'unauthorized', authorizationUrl: String } } })
    const cookie = asked.headers.get('set-cookie') ?? ''
    t.match(cookie, /^oauth-mcpconsent_\w{26}=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/)
    const { state, code } = server.agree(asked.body.data.authorizationUrl)
    const query = new URLSearchParams({ state, code })
    const comeBack = (headers: Record<string, string>) =>
      anyone.get(`/v1/mcp/oauth/callback?${query}`, headers)
    const refused = { status: 400, body: { error: { param: 'state', code: 'other_browser' } } }
    const [own = ''] = cookie.split(';')
    const [name] = own.split('=')
    t.match(await comeBack({}), refused, 'a browser without a cookie')
    t.match(await comeBack({ cookie: `${name}=${'A'.repeat(43)}` }), refused, 'a browser with another cookie')
    t.match(await comeBack({ cookie: `${own}; ${own}` }), refused, 'a cookie that is there twice')
    t.match(await comeBack(await signIn(as('eve'))), refused, 'the session of another user')
    t.match(await comeBack(browser), refused, 'another browser of the same user')
    const page = await comeBack({ accept: 'text/html,*/*' })
    t.match(page, { status: 400, text: /Another browser requested this/ }, 'people read a page')
    t.match(page.headers.get('content-type'), /^text\/html/)
    t.equal(server.asked.token.length, 0, 'no code is exchanged')
    t.match((await ada.get(path)).body.data, { status: 'unauthorized' })
    const done = await comeBack({ cookie: own })
    t.match(done, { status: 200, text: /agents of ada can now use 127\.0\.0\.1.*If you are not ada/s })
    t.match((await ada.get(path)).body.data, { status: 'connected' })
    t.match(
      await comeBack({ cookie: own }),
      { status: 400, body: { error: { code: 'state_invalid' } } },
      'once'
    )
  })

  t.test('the last page of an authorization that a program requested names the owner', async (t) => {
    const server = await guarded(t)
    const { id } = await register(ada, { name: '<b>mail</b>', url: server.url, auth })
    const asked = await ada.post(`/v1/mcp/servers/${id}/connect`)
    t.equal(asked.headers.get('set-cookie'), null)
    const { state, code } = server.agree(asked.body.data.authorizationUrl)
    const page = await back({ state, code })
    t.match(page, { status: 200, text: /&#60;b&#62;mail.*The agents of ada can now use/s })
    t.notMatch(page.text, /<b>/)
    t.match(page.headers.get('content-security-policy'), /default-src 'none'.*frame-ancestors 'none'/)
  })

  t.test('are not where their owner declines', async (t) => {
    const { server, path, data } = await begun(t)
    const { state } = server.agree(data.authorizationUrl)
    t.match(await back({ state, error: 'access_denied', error_description: '<script>' }), {
      status: 400,
      body: {
        error: { param: 'error', code: 'not_authorized', message: 'It was not authorized: access_denied' }
      }
    })
    t.match((await ada.get(path)).body.data, { status: 'unauthorized', statusReason: /access_denied/ })
    t.match(await back({ state, code: 'x' }), { status: 400 }, 'that state is over')
    const { data: again } = (await ada.post(`${path}/connect`)).body
    const { state: other } = server.agree(again.authorizationUrl)
    t.match(await back({ state: other, code: 'made up' }), {
      status: 502,
      body: { error: { message: /invalid_grant/, code: 'authorization_failed' } }
    })
    t.equal(server.asked.register.length, 2, 'nothing was kept of a client that was never used')
  })

  t.test('an authorization of another server is refused', async (t) => {
    const { server, data } = await begun(t, {
      metadata: { authorization_response_iss_parameter_supported: true }
    })
    const { state, code } = server.agree(data.authorizationUrl)
    t.match(await back({ state, code, iss: 'https://evil.example' }), { status: 502 })
    t.equal(server.asked.token.length, 0)
    const one = await begun(t)
    await ada.put(one.path, { url: `${one.server.url}?other` })
    const { state: stale, code: used } = one.server.agree(one.data.authorizationUrl)
    t.match(await back({ state: stale, code: used }), { status: 400 }, 'nor one from before an edit')
  })

  t.test('a token is refreshed once, for all that wait', async (t) => {
    const { server, call } = await allowed(t)
    const other = await stage(t, { beside: booted })
    const there = direct(other, (await other.as('ada').get('/v1/mcp/tools?limit=1')).body.data)
    t.match(await there('echo', { message: 'hi' }), { output: 'Echo: hi' })
    const asked = server.asked.token.length
    server.state.slow = 300
    server.expire()
    const all = [call, there, call, there].map((it) => it('echo', { message: 'hi' }))
    t.match(await Promise.all(all), Array(4).fill({ output: 'Echo: hi' }))
    t.equal(server.asked.token.length, asked + 1)
    server.expire()
    t.match(await call('echo', { message: 'hi' }), { output: 'Echo: hi' }, 'and again with the next one')
    await other.close()
  })

  t.test('what cannot be refreshed is authorized anew', async (t) => {
    const { server, path, call } = await allowed(t)
    server.expire()
    server.state.refuses = 'temporarily_unavailable'
    t.match(await call('echo', { message: 'hi' }).catch(({ kind }) => kind), 'upstream')
    server.state.refuses = 'invalid_grant'
    t.match(await call('echo', { message: 'hi' }).catch(({ code }) => code), 'server_unauthorized')
    t.match((await ada.get(path)).body.data, { status: 'unauthorized' })
    server.state.refuses = undefined
    const { data } = (await ada.post(`${path}/connect`)).body
    const { state, code } = server.agree(data.authorizationUrl)
    t.match(await back({ state, code }), { status: 200 })
    t.equal(server.asked.register.length, 2, 'by a new client: the server may have deleted the one before')
    t.match(await call('echo', { message: 'hi' }), { output: 'Echo: hi' })
  })

  t.test('a client that the authorization server deleted is registered again', async (t) => {
    const { server, path, call } = await allowed(t)
    const connectAgain = async () => {
      const { data } = (await ada.post(`${path}/connect`)).body
      return server.agree(data.authorizationUrl)
    }
    server.expire()
    server.state.refuses = 'invalid_client'
    t.match(await call('echo', { message: 'hi' }).catch(({ code }) => code), 'server_unauthorized')
    server.state.refuses = undefined
    const { state, code, order } = await connectAgain()
    t.equal(order.get('client_id'), 'client-2')
    server.state.refuses = 'invalid_client'
    t.match(await back({ state, code }), { status: 502, body: { error: { code: 'authorization_failed' } } })
    server.state.refuses = undefined
    const after = await connectAgain()
    t.equal(after.order.get('client_id'), 'client-3', 'also if the exchange of a code is refused')
    t.match(await back({ state: after.state, code: after.code }), { status: 200 })
    t.match(await call('echo', { message: 'hi' }), { output: 'Echo: hi' })
  })

  t.test('a client that was registered by hand', async (t) => {
    const options = { clients: { mine: 'hand-made-secret' }, metadata: { registration_endpoint: undefined } }
    const mine = { auth: { ...auth, clientId: 'mine', clientSecret: 'hand-made-secret', scope: 'all of it' } }
    const { server, path, returned } = await allowed(t, options, mine)
    t.equal(returned, 200)
    t.equal(server.asked.register.length, 0)
    const { data } = (await ada.get(path)).body
    t.match(data.auth, { type: 'oauth', clientId: 'mine', clientSecret: { set: true } })
    t.match(
      await ada.put(path, data),
      { status: 200, body: { data: { status: 'connected' } } },
      'stays as it is'
    )
    t.match(await ada.put(path, { url: 'https://elsewhere.example/mcp' }), {
      status: 400,
      body: { error: { param: '/auth/clientSecret', code: 'secret_needed' } }
    })
    const closed = await begun(t, { metadata: { registration_endpoint: undefined } })
    t.match(closed.status, 502)
    t.match((await ada.get(closed.path)).body.data, { status: 'unauthorized', statusReason: String })
  })

  t.test('another address has to be authorized itself', async (t) => {
    const { path } = await allowed(t)
    const elsewhere = await guarded(t)
    t.match((await ada.put(path, { url: elsewhere.url })).body.data, { status: 'new' })
    t.match((await ada.post(`${path}/connect`)).body.data, {
      status: 'unauthorized',
      authorizationUrl: String
    })
    t.notOk(elsewhere.seen.some(({ headers }) => headers.authorization !== undefined))
  })

  t.test('their secrets are nowhere to be read', async (t) => {
    const { server } = await allowed(t)
    server.expire()
    const { path } = await begun(t)
    const again = () => ada.post(`${path}/connect`, undefined, { 'idempotency-key': 'connect-once' })
    t.match(await again(), { body: { data: { authorizationUrl: /mcpconsent_/ } } })
    t.notMatch(await again(), { body: { data: { authorizationUrl: String } } }, 'it is shown once')
    const { knex } = booted.platform
    const rows = await Promise.all(
      [
        'mcp.server',
        'mcp.authorization',
        'mcp.authorization_request',
        'kernel.fact',
        'kernel.idempotency'
      ].map((it) => knex(it).select())
    )
    const everything = JSON.stringify(rows) + log.join('\n')
    for (const secret of [/at-[0-9a-f]{8}-/, /rt-[0-9a-f]{8}-/, /code-[0-9a-f]{8}-/, /hand-made-secret/])
      t.notMatch(everything, secret)
    t.notMatch(everything, /mcpconsent_\w+\./, 'nor a state')
  })

  t.test('what the platform is as a client', async (t) => {
    const { status, body } = await anyone.get('/v1/mcp/oauth/client.json')
    t.equal(status, 200)
    t.match(body, {
      client_id: /client\.json$/,
      redirect_uris: [/callback$/],
      token_endpoint_auth_method: 'none'
    })
  })
})
