import t from 'tap'
import { json } from '../../../test/loopback.ts'
import { comeBack, connected, direct, provider, stage } from './testbed.ts'

t.test('connections are asked for, and agreed to', async (t) => {
  const there = await provider(t)
  const log: string[] = []
  const issuer = 'https://issuer.example'
  const booted = await stage(
    t,
    [
      there.settings(),
      there.settings('other'),
      there.settings('named', { issuer, sendsIssuer: true }),
      there.settings('maybe', { issuer })
    ],
    {
      env: { OAUTH_RETURN_URLS: 'https://app.example', OAUTH_SLACK_CLIENT_ID: 'slack-client' },
      log: (line) => void log.push(JSON.stringify(line))
    }
  )
  const { as, anyone, platform } = booted
  const ada = as('ada')
  const ask = async (body: object = {}) =>
    (await ada.post('/v1/oauth/connect', { providerKey: 'local', ...body })).body.data
  const refused = { status: 400, body: { error: { param: 'state', code: 'state_invalid' } } }

  t.test('which providers there are', async (t) => {
    const { status, body } = await anyone.get('/v1/oauth/providers?limit=100')
    t.equal(status, 200, 'is told without a credential')
    const keys = body.data.map(({ key }: { key: string }) => key)
    t.ok(keys.length >= 21, `${keys.length} providers`)
    for (const { icon, hosts, name } of body.data) {
      t.match(icon, /^<svg xmlns=/)
      t.ok(hosts.length > 0, `${name} has hosts`)
    }
    t.match(await anyone.get('/v1/oauth/providers/github'), {
      body: {
        data: {
          name: 'GitHub',
          isConfigured: false,
          missing: ['OAUTH_GITHUB_CLIENT_ID', 'OAUTH_GITHUB_CLIENT_SECRET'],
          callbackUrl: /\/v1\/oauth\/callback\/github$/
        }
      }
    })
    t.match((await anyone.get('/v1/oauth/providers/slack')).body.data.missing, ['OAUTH_SLACK_CLIENT_SECRET'])
    t.match(await anyone.get('/v1/oauth/providers/nobody'), { status: 404 })
    const page = (await anyone.get('/v1/oauth/providers?limit=2')).body
    t.equal(page.data.length, 2)
    t.match(
      (await anyone.get(`/v1/oauth/providers?limit=2&cursor=${page.nextCursor}`)).body.data[0].key,
      keys[2]
    )
    t.notMatch(JSON.stringify(body), /secret of the platform|the-platform/)
  })

  t.test('what is asked', async (t) => {
    const { status, body, headers } = await ada.post('/v1/oauth/connect', { providerKey: 'local' })
    t.equal(status, 200)
    t.match(body.data, {
      connectionId: /^connection_/,
      scopes: [{ name: 'read', description: 'Read what you can read' }]
    })
    t.equal(headers.get('set-cookie'), null, 'a program has no browser')
    t.match(Object.fromEntries(new URL(body.data.authorizationUrl).searchParams), {
      response_type: 'code',
      client_id: 'the-platform',
      code_challenge_method: 'S256',
      code_challenge: /^[\w-]{43}$/,
      redirect_uri: /\/v1\/oauth\/callback\/local$/,
      scope: 'read',
      state: /^authorization_\w{26}\.[\w-]{43}$/
    })
    t.match(await ada.get(`/v1/oauth/connections/${body.data.connectionId}`), {
      body: { data: { status: 'pending', account: null, scopes: [], expiresAt: null } }
    })
    t.match(await ada.post('/v1/oauth/connect', { providerKey: 'github' }), {
      status: 503,
      body: { error: { message: /OAUTH_GITHUB_CLIENT_ID/, code: 'provider_not_configured' } }
    })
    t.match(await ada.post('/v1/oauth/connect', { providerKey: 'nobody' }), {
      status: 404,
      body: { error: { param: '/providerKey' } }
    })
    t.match(await ada.post('/v1/oauth/connect', { providerKey: 'local', scopes: ['a b'] }), { status: 400 })
    t.match(await ada.post('/v1/oauth/connect', {}), { status: 400 })
    const once = () =>
      ada.post('/v1/oauth/connect', { providerKey: 'local' }, { 'idempotency-key': 'asked-once' })
    t.match(await once(), { body: { data: { authorizationUrl: String } } })
    t.notMatch(await once(), { body: { data: { authorizationUrl: String } } }, 'it is shown once')
  })

  t.test('who agreed is connected', async (t) => {
    const { connectionId, authorizationUrl } = await ask({ name: 'Mail of Ada', scopes: ['read', 'write'] })
    const { state, code } = there.agree(authorizationUrl)
    t.match(await comeBack(anyone, 'local', { code }), refused)
    t.match(await comeBack(anyone, 'local', { state: 'x.y', code }), refused)
    t.match(await comeBack(anyone, 'local', { state: `${state.slice(0, -2)}__`, code }), refused)
    const page = await comeBack(anyone, 'local', { state, code, session_state: 'what others add' })
    t.equal(page.status, 200)
    t.match(page.headers.get('content-type'), /^text\/html/)
    t.match(
      page.headers.get('content-security-policy'),
      /default-src 'none'; style-src 'sha256-.*frame-ancestors 'none'/
    )
    t.match(page.text, /Local local is connected.*agents of ada.*ada@example.com/s)
    t.match(await comeBack(anyone, 'local', { state, code }), refused, 'once')
    const person = await comeBack(anyone, 'local', { state, code }, { accept: 'text/html' })
    t.equal(person.status, 400)
    t.match(person.headers.get('content-type'), /^text\/html/)
    t.match(person.text, /This did not work.*connect again/s)
    t.match((await ada.get(`/v1/oauth/connections/${connectionId}`)).body.data, {
      owner: 'ada',
      providerKey: 'local',
      name: 'Mail of Ada',
      account: 'ada@example.com',
      scopes: ['read', 'write'],
      status: 'active',
      statusReason: null,
      expiresAt: /Z$/
    })
  })

  t.test('a state of another person connects that person, and says so', async (t) => {
    const eve = as('eve')
    const { connectionId, authorizationUrl } = (await eve.post('/v1/oauth/connect', { providerKey: 'local' }))
      .body.data
    const before = (await ada.get('/v1/oauth/connections')).body.data.length
    const { state, code } = there.agree(authorizationUrl)
    const page = await comeBack(ada, 'local', { state, code })
    t.match(page.text, /agents of eve/)
    t.match(await ada.get(`/v1/oauth/connections/${connectionId}`), { status: 403 })
    t.equal((await ada.get('/v1/oauth/connections')).body.data.length, before)
    t.match((await eve.get(`/v1/oauth/connections/${connectionId}`)).body.data, {
      owner: 'eve',
      status: 'active'
    })
  })

  t.test('who declined is not', async (t) => {
    const { connectionId, authorizationUrl } = await ask()
    const { state } = there.agree(authorizationUrl)
    const tokens = there.at('/token').length
    const page = await comeBack(anyone, 'local', {
      state,
      error: 'access_denied',
      error_description: '<script>x'
    })
    t.match(page.text, /was not connected.*access_denied/s)
    t.notMatch(page.text, /script/)
    t.match((await ada.get(`/v1/oauth/connections/${connectionId}`)).body.data, {
      status: 'pending',
      statusReason: /access_denied/
    })
    t.match(await comeBack(anyone, 'local', { state, code: 'x' }), refused, 'that state is over')
    const { authorizationUrl: other } = await ask()
    const back = { state: there.agree(other).state, error: 'whatever <b>the provider</b> sent' }
    t.match(
      (await comeBack(anyone, 'local', back)).text,
      /that it was not allowed: an error/,
      'its words are not shown'
    )
    t.match(
      (await comeBack(anyone, 'local', { state: there.agree((await ask()).authorizationUrl).state })).text,
      /no code/
    )
    t.equal(there.at('/token').length, tokens)
  })

  t.test('a reply of another provider', async (t) => {
    const { authorizationUrl } = await ask()
    const { state, code } = there.agree(authorizationUrl)
    const tokens = there.at('/token').length
    t.match(await comeBack(anyone, 'other', { state, code }), refused, 'has another address')
    t.match(await comeBack(anyone, 'local', { state, code }), refused, 'and is over by that')
    for (const [providerKey, iss] of [
      ['named', undefined],
      ['named', 'https://evil.example'],
      ['maybe', 'https://evil.example']
    ] as const) {
      const back = there.agree((await ask({ providerKey })).authorizationUrl)
      const brought = { state: back.state, code: back.code, ...(iss && { iss }) }
      t.match((await comeBack(anyone, providerKey, brought)).text, /not of the provider that was asked/)
    }
    t.equal(there.at('/token').length, tokens, 'no code was shown to anybody')
    for (const [providerKey, iss] of [
      ['named', issuer],
      ['maybe', issuer],
      ['maybe', undefined]
    ] as const) {
      const back = there.agree((await ask({ providerKey })).authorizationUrl)
      const brought = { state: back.state, code: back.code, ...(iss && { iss }) }
      t.match((await comeBack(anyone, providerKey, brought)).text, /is connected/)
    }
  })

  t.test('a state of yesterday, and one that another instance knows', async (t) => {
    const { authorizationUrl } = await ask()
    const { state, code } = there.agree(authorizationUrl)
    const [id] = state.split('.')
    await platform
      .knex('connections.authorization_request')
      .where({ id })
      .update({ expiresAt: new Date(Date.now() - 1_000) })
    t.match(await comeBack(anyone, 'local', { state, code }), refused)
    const again = there.agree((await ask()).authorizationUrl)
    const later = await stage(t, [there.settings()], { beside: booted })
    const { status } = await comeBack(later.anyone, 'local', { state: again.state, code: again.code })
    t.equal(status, 200, 'it lies in the record, and not in a process')
    await later.close()
  })

  t.test('people are sent back where that is allowed', async (t) => {
    for (const returnUrl of [
      'https://evil.example/',
      'https://app.example.evil.example/',
      'https://app.example@evil.example/',
      'javascript:alert(1)',
      '//evil.example',
      '/\\evil.example',
      '/.//a//evil.example/x',
      '/%2e//evil.example',
      '/x/..//a//evil.example/',
      '/\t/evil.example',
      'https://user:pass@app.example/',
      'http://app.example/'
    ])
      t.match(await ada.post('/v1/oauth/connect', { providerKey: 'local', returnUrl }), {
        status: 400,
        body: { error: { param: '/returnUrl' } }
      })
    const returnUrl = 'https://app.example/done?tab=2'
    const { connectionId, authorizationUrl } = await ask({ returnUrl })
    const { state, code } = there.agree(authorizationUrl)
    const reply = await comeBack(anyone, 'local', { state, code, returnUrl: 'https://evil.example' })
    t.match(
      reply,
      { status: 200, text: /The agents of ada may now act/ },
      'whom a program sent there reads that first'
    )
    t.equal(reply.headers.get('location'), null)
    const way = `${returnUrl}&connectionId=${connectionId}&status=active`
    t.ok(reply.text.includes(`href="${way.replaceAll('&', '&#38;')}">Continue to app.example<`))
    t.equal(reply.headers.get('referrer-policy'), 'no-referrer')
    const own = there.agree((await ask({ returnUrl: '/console/connections?x=1' })).authorizationUrl)
    const home = await comeBack(anyone, 'local', { state: own.state, code: own.code })
    t.match(
      home.text,
      /href="\/console\/connections\?x=1&#38;connectionId=connection_\w+&#38;status=active">Continue to where you came from</
    )
    const declined = there.agree((await ask({ returnUrl })).authorizationUrl)
    const no = await comeBack(anyone, 'local', { state: declined.state, error: 'access_denied' })
    t.match(no.headers.get('location'), /status=failed&error=not_allowed$/)
  })

  t.test('more is asked for, of the same account', async (t) => {
    const { id, path } = await connected(ada, there)
    const { authorizationUrl } = await ask({ connectionId: id, scopes: ['write'] })
    const { state, code, order } = there.agree(authorizationUrl)
    t.equal(order.get('scope'), 'read write', 'with what it has already')
    there.state.account = 'eve@example.com'
    const revoked = there.at('/revoke').length
    t.match((await comeBack(anyone, 'local', { state, code })).text, /another account/)
    t.equal(there.at('/revoke').length, revoked + 1, 'what nobody has is taken back')
    t.match((await ada.get(path)).body.data, {
      status: 'active',
      account: 'ada@example.com',
      scopes: ['read']
    })
    there.state.account = 'ada@example.com'
    const again = there.agree((await ask({ connectionId: id, scopes: ['write'] })).authorizationUrl)
    await comeBack(anyone, 'local', { state: again.state, code: again.code })
    t.match((await ada.get(path)).body.data, { status: 'active', scopes: ['read', 'write'] })
    t.match(await as('eve').post('/v1/oauth/connect', { providerKey: 'local', connectionId: id }), {
      status: 403,
      body: { error: { param: '/connectionId' } }
    })
    t.match(await ada.post('/v1/oauth/connect', { providerKey: 'other', connectionId: id }), {
      status: 400,
      body: { error: { param: '/providerKey' } }
    })
  })

  t.test('keeps the refresh token if the same account is connected again without a new one', async (t) => {
    const { id } = await connected(ada, there)
    const before = (await direct(booted).open(id)).material
    there.state.hasRefresh = false
    const again = there.agree((await ask({ connectionId: id, scopes: ['write'] })).authorizationUrl)
    await comeBack(anyone, 'local', { state: again.state, code: again.code })
    const { material, row } = await direct(booted).open(id)
    t.not(material.accessToken, before.accessToken)
    t.equal(material.refreshToken, before.refreshToken)
    t.match(row, { status: 'active', scopes: ['read', 'write'] })
    there.state.answers = { '/me': (reply) => json(reply, 200, { email: 'somebody' }) }
    const unknown = there.agree((await ask({ connectionId: id })).authorizationUrl)
    await comeBack(anyone, 'local', { state: unknown.state, code: unknown.code })
    there.state.answers = {}
    there.state.hasRefresh = true
    const { material: other } = await direct(booted).open(id)
    t.equal(other.refreshToken, undefined, 'and not if the account is unknown')
  })

  t.test('what was given is nowhere to be read', async (t) => {
    await connected(ada, there)
    await booted.settled()
    const rows = await platform.knex('connections.connection')
    const facts = await platform.knex('kernel.fact').where('name', 'like', 'connections.%')
    t.ok(facts.some(({ name }) => name === 'connections.connected'))
    t.notMatch(
      JSON.stringify([rows, facts, log]),
      /at-[0-9a-f]{8}-|rt-[0-9a-f]{8}-|secret of the platform|code-[0-9a-f]{8}-/
    )
  })
})
