// budget: 4 s, because two providers sign people in beside the platform
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import t from 'tap'
import { actionOf, BACK, BEGIN, browserOf, identityOf, PASSWORD, personOf, sessionOf } from './testbed.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}
async function listening(t: Scope, server = createServer()) {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => new Promise((resolve) => server.close(resolve).closeAllConnections()))
  return { server, issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** What a form encodes, and what it does not have to encode. */
const SECRET = 'hush-_.~ +/=%41:x'

/**
 * A real provider, whose people are as `claims` says. `isLiteral`: it compares client credentials without decoding them, as
 * many providers do.
 */
async function openId(t: Scope, claims: Record<string, object>, isLiteral = false) {
  const { server, issuer } = await listening(t)
  const redirectUris: string[] = []
  const provider = new Provider(issuer, {
    clients: [{ client_id: 'platform', client_secret: SECRET, redirect_uris: ['http://127.0.0.1/x'] }],
    findAccount: (_, id) => ({ accountId: id, claims: async () => ({ sub: id, ...claims[id] }) }),
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: true } },
    cookies: { keys: ['for this test'] },
    ttl: { AccessToken: 60, Grant: 600, Session: 600, Interaction: 600, IdToken: 60 }
  })
  const registered = provider.Client.find.bind(provider.Client)
  // The platform of a test learns its address late.
  provider.Client.find = async (id: string) => {
    const client = await registered(id)
    return client && Object.assign(client, { redirectUris })
  }
  // When its people proved who they are, where that is not now.
  const since: { value?: number } = {}
  Object.assign(provider.Session.prototype, {
    authTime(this: { loginTs?: number }) {
      return since.value ?? this.loginTs
    }
  })
  const answer = provider.callback()
  server.on('request', (request, response) => {
    const [, basic] = /^Basic (.+)$/.exec(request.headers.authorization ?? '') ?? []
    if (!isLiteral || basic === undefined) return answer(request, response)
    if (Buffer.from(basic, 'base64').toString() !== `platform:${SECRET}`)
      return response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_client"}')
    const decoded = `platform:${encodeURIComponent(SECRET)}`
    request.headers.authorization = `Basic ${Buffer.from(decoded).toString('base64')}`
    answer(request, response)
  })
  return { issuer, redirectUris, server, since }
}

/** One that speaks OAuth 2.0 alone and says no with 200, as GitHub does. */
async function gitHub(t: Scope, emails: object[]) {
  const challenges = new Map<string, string>()
  const { server, issuer } = await listening(t)
  server.on('request', async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', issuer)
    const say = (body: object) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (pathname === '/authorize') {
      challenges.set('good', searchParams.get('code_challenge') ?? '')
      const back = new URL(searchParams.get('redirect_uri') ?? '')
      back.searchParams.set('code', 'good')
      back.searchParams.set('state', searchParams.get('state') ?? '')
      return response.writeHead(302, { location: back.href }).end()
    }
    if (pathname === '/token') {
      let text = ''
      for await (const chunk of request) text += chunk
      const form = new URLSearchParams(text)
      const proven = Buffer.from(
        await crypto.subtle.digest('SHA-256', Buffer.from(form.get('code_verifier') ?? ''))
      ).toString('base64url')
      const isFine = form.get('client_secret') === SECRET && challenges.get(form.get('code') ?? '') === proven
      challenges.clear()
      return say(isFine ? { access_token: 'gho', token_type: 'bearer' } : { error: 'bad_verification_code' })
    }
    if (request.headers.authorization !== 'Bearer gho') return response.writeHead(401).end()
    return say(pathname === '/user' ? { id: 7, login: 'hub', name: null } : emails)
  })
  return issuer
}

t.test('people sign in by providers elsewhere', async (t) => {
  const claims: Record<string, object> = {
    ada: { email: 'Ada@example.com', email_verified: true, name: 'Ada' },
    mallory: { email: 'ada@example.com', email_verified: false },
    stranger: { email: 'stranger@example.net', email_verified: true },
    welcome: { email: 'welcome@corp.example', email_verified: true, name: 'Wel\u0007come' },
    heir: { email: 'Welcome@corp.example', email_verified: true, name: 'Heir' },
    invited: { email: 'invited@example.com', email_verified: true, name: 'Invited' }
  }
  const corp = await openId(t, claims)
  const other = await openId(t, claims, true)
  const emails = [
    { email: 'ada@example.com', primary: false, verified: true },
    { email: 'Hub@corp.example', primary: true, verified: true }
  ]
  const hub = await gitHub(t, emails)
  const client = { clientId: 'platform', clientSecret: SECRET, domains: ['corp.example'] }
  const upstream = [
    { key: 'corp', name: 'Corp', issuer: corp.issuer, ...client },
    { key: 'other', name: 'Other', issuer: other.issuer, ...client },
    {
      key: 'github',
      ...client,
      authorizationUrl: `${hub}/authorize`,
      tokenUrl: `${hub}/token`,
      userUrl: `${hub}/user`,
      emailsUrl: `${hub}/emails`
    },
    { key: 'away', name: 'Away', issuer: 'http://127.0.0.1:9', ...client }
  ]
  const identity = await identityOf(
    t,
    { env: { IDENTITY_UPSTREAM: JSON.stringify(upstream), IDENTITY_SIGN_INS_PER_MINUTE: '100' } },
    'console'
  )
  const { address, admin } = identity
  const { knex } = identity.platform
  for (const [key, { redirectUris }] of [
    ['corp', corp],
    ['other', other]
  ] as const)
    redirectUris.push(`${address}/identity/upstream/${key}/callback`)
  await personOf(identity, 'ada@example.com')
  const newBrowser = () => browserOf(identity, corp.issuer, other.issuer, hub)

  /** Up to where the provider sends the browser back. */
  async function leave(key: string, login = '', browser = newBrowser()) {
    const { page } = await browser.go(`${address}${BEGIN}`)
    const callback = `/identity/upstream/${key}/callback`
    const way = `${address}${actionOf(page).replace('/sign-in', `/upstream/${key}`)}`
    let reply = await browser.go(way, undefined, callback)
    for (let step = 0; step < 2 && !reply.headers.get('location') && reply.status === 200; step++) {
      const action = /action="([^"]+)" method="post"/.exec(reply.page)?.[1] ?? ''
      const prompt = /name="prompt" value="(\w+)"/.exec(reply.page)?.[1] ?? ''
      reply = await browser.go(action, { prompt, login, password: 'x' }, callback)
    }
    return { ...browser, way, reply, back: reply.headers.get('location') ?? '' }
  }
  async function signIn(key: string, login = '') {
    const { go, jar, back } = await leave(key, login)
    const done = await go(back, undefined, BACK)
    if (done.headers.get('location')?.includes(BACK))
      await go(done.headers.get('location') ?? '', undefined, '/console/')
    return { done, jar, who: (await sessionOf(identity, jar)).who }
  }
  const CALLBACK = '/identity/upstream/corp/callback'
  const refused = /That did not sign you in/

  t.test(
    'who proves to have the account with that verified address, and from then on by the subject',
    async (t) => {
      const [ada] = await knex('identity.person').where({ email: 'ada@example.com' })
      t.equal(ada.addressProvedAt, null, 'whoever opened the link of the invitation chose the password')
      const { go, jar, back } = await leave('corp', 'ada')
      const asked = await go(back, undefined, BACK)
      t.match(asked, { status: 409, page: /There is an account with this address/ })
      t.same(await knex('identity.account'), [], 'the address alone links nothing')
      const { page } = await go(/class="way" href="([^"]+)"/.exec(asked.page)?.[1] ?? '')
      const wrong = await go(actionOf(page), { email: 'ada@example.com', password: 'not the password' })
      t.equal(wrong.status, 401)
      t.same(await knex('identity.account'), [])
      const done = await go(actionOf(wrong.page), { email: 'ada@example.com', password: PASSWORD }, BACK)
      await go(done.headers.get('location') ?? '', undefined, '/console/')
      t.match((await sessionOf(identity, jar)).who, { id: ada.id })
      t.notOk(jar.has('identity-upstream'))
      t.match((await signIn('corp', 'ada')).who, { id: ada.id })
      t.match((await signIn('other', 'ada')).who, { id: ada.id }, 'its address is proved by now')
      await knex('identity.account').where({ issuer: other.issuer }).delete()
      claims.ada = { email: 'elsewhere@example.com', email_verified: false }
      t.match((await signIn('corp', 'ada')).who, { id: ada.id }, 'whatever its address is now')
      t.match(await knex('identity.account'), [{ owner: ada.id, issuer: corp.issuer, subject: 'ada' }])
      t.match(
        (await signIn('other', 'mallory')).done,
        { status: 401, page: refused },
        'not by one that is not verified'
      )
      t.equal((await knex('identity.account')).length, 1)
    }
  )

  t.test(
    'of another account with that address nobody is signed in to the account of who had it before',
    async (t) => {
      await knex('identity.person').where({ email: 'ada@example.com' }).update({ addressProvedAt: null })
      await personOf(identity, 'eve@example.com')
      claims.eve = { email: 'eve@example.com', email_verified: true }
      const { go, jar, back } = await leave('corp', 'eve')
      const { page } = await go(
        /class="way" href="([^"]+)"/.exec((await go(back, undefined, BACK)).page)?.[1] ?? ''
      )
      const done = await go(actionOf(page), { email: 'ada@example.com', password: PASSWORD }, BACK)
      await go(done.headers.get('location') ?? '', undefined, '/console/')
      t.match((await sessionOf(identity, jar)).who, { id: /^person_/ })
      t.same(
        await knex('identity.account').where({ subject: 'eve' }),
        [],
        'nor is it linked to another address'
      )
      t.match((await signIn('corp', 'welcome')).who, { id: /^person_/ })
      t.match((await signIn('corp', 'heir')).done, { status: 409, page: /Another account of that provider/ })
      t.same(await knex('identity.account').where({ subject: 'heir' }), [])
    }
  )

  t.test('who is invited or of a domain that is welcome, and nobody else', async (t) => {
    t.match((await signIn('corp', 'stranger')).done, { status: 401, page: refused })
    await admin.post('/v1/people/invitations', { email: 'invited@example.com', projectId: 'default' })
    t.match((await signIn('corp', 'invited')).who, { id: /^person_/, project: 'default' })
    t.same(await knex('identity.invitation'), [])
    t.match((await signIn('corp', 'welcome')).who, { id: /^person_/ })
    t.match(await knex('identity.person').where({ email: 'welcome@corp.example' }), [
      { name: 'Wel come', passwordHash: null, isOperator: false }
    ])
    t.match((await signIn('github')).who, { id: /^person_/ }, 'by its first address, and by OAuth 2.0 alone')
    t.match(await knex('identity.person').where({ email: 'hub@corp.example' }), [{ name: 'hub' }])
    emails[1] = { email: 'ada@example.com', primary: true, verified: false }
    await knex('identity.account').where({ issuer: hub }).delete()
    t.match((await signIn('github')).done, { status: 401, page: refused })
    const [{ id }] = await knex('identity.person').where({ email: 'welcome@corp.example' })
    await admin.post(`/v1/people/${id}/disable`)
    t.match((await signIn('corp', 'welcome')).done, { status: 401, page: refused }, 'nor who is disabled')
  })

  t.test('who is to prove anew who it is does so there as well', async (t) => {
    const wayOf = async (more: string) => {
      const { go } = newBrowser()
      const { page } = await go(`${address}${BEGIN}${more}`)
      const way = `${address}${actionOf(page).replace('/sign-in', '/upstream/corp')}`
      return (await go(way, undefined, corp.issuer)).headers.get('location')
    }
    t.match(await wayOf('?fresh=true'), /[?&]prompt=login&max_age=0$/)
    t.notMatch(await wayOf(''), /prompt|max_age/)

    // As one does that goes by the session it has, and says when that began.
    const pretend = async (more: string, age: number) => {
      const { go, jar } = newBrowser()
      const { page } = await go(`${address}${BEGIN}${more}`)
      const way = `${address}${actionOf(page).replace('/sign-in', '/upstream/corp')}`
      const asked = await go(way, undefined, `${corp.issuer}/auth`)
      const unasked = new URL(asked.headers.get('location') ?? '')
      unasked.searchParams.delete('prompt')
      unasked.searchParams.set('max_age', '99999')
      let reply = await go(unasked.href, undefined, CALLBACK)
      corp.since.value = Math.floor(Date.now() / 1_000) - age
      for (const prompt of ['login', 'consent']) {
        if (reply.headers.get('location')) break
        const action = /action="([^"]+)" method="post"/.exec(reply.page)?.[1] ?? ''
        reply = await go(action, { prompt, login: 'invited', password: 'x' }, CALLBACK)
      }
      const done = await go(reply.headers.get('location') ?? '', undefined, BACK)
      const back = done.headers.get('location') ?? ''
      if (back.includes(BACK)) await go(back, undefined, '/console/')
      return { done, ...(await sessionOf(identity, jar)) }
    }
    t.match((await pretend('?fresh=true', 3_600)).done, { status: 401, page: refused }, 'not asked there')
    const known = await pretend('', 3_600)
    t.match(known.who, { id: /^person_/ })
    const sessions = knex('identity.session').where({ owner: known.who.id })
    const [{ authenticatedAt: since }] = await sessions.orderBy('createdAt', 'desc')
    t.ok(Date.now() - Date.parse(since) >= 3_600_000, 'what counts is when it proved it there')
    t.match(await known.ask('/v1/auth/api-keys', 'POST', { name: 'late' }), {
      status: 403,
      body: { error: { code: 'confirmation_required' } }
    })
    const asked = await pretend('?fresh=true', 0)
    t.match(await asked.ask('/v1/auth/api-keys', 'POST', { name: 'asked' }), { status: 201 })
  })

  t.test('nothing else comes back as someone', async (t) => {
    const thief = await leave('corp', 'invited')
    t.match(await newBrowser().go(thief.back), { status: 400 }, 'a browser that has begun nothing')
    const victim = newBrowser()
    await leave('corp', 'x', victim).catch(() => undefined)
    victim.jar.delete('_session')
    t.match(await victim.go(thief.back), { status: 401, page: refused }, 'one that has begun something else')
    const before = await leave('corp', 'invited')
    await before.go(before.back, undefined, BACK)
    t.match(await before.go(before.back), { status: 400 }, 'a second time')

    for (const [name, value] of [
      ['iss', other.issuer],
      ['state', 'x'],
      ['code', 'x'],
      ['error', 'access_denied']
    ] as const) {
      const { go, jar, back } = await leave('corp', 'invited')
      const changed = new URL(back)
      changed.searchParams.set(name, value)
      t.match(await go(changed.href), { status: 401, page: refused }, name)
      t.notOk(jar.has('identity-upstream'))
    }
    const mixed = await leave('corp', 'invited')
    const elsewhere = mixed.back.replace('/upstream/corp/', '/upstream/other/')
    t.match(await mixed.go(elsewhere), { status: 400 }, 'by the callback of another provider')
  })

  t.test('a provider that is away, or none, leaves the other ways', async (t) => {
    const { reply } = await leave('away')
    t.match(reply, { status: 503, page: /cannot be reached/ })
    t.match(reply.page, /name="password"/)
    t.match((await leave('nowhere')).reply, { status: 503 })
    t.match(reply.page, /Continue with Corp<.*Continue with GitHub</)
  })
})

t.test('a setting that is none is refused', async (t) => {
  const { upstreamIn } = await import('../upstream/configured.ts')
  const { oauth2Upstream } = await import('../upstream/oauth2.ts')
  for (const wrong of [
    'x',
    '{}',
    '[{}]',
    '[null]',
    '[{"key":"Corp","name":"C","clientId":"c","issuer":"https://c"}]'
  ])
    t.throws(() => upstreamIn(wrong), /upstream/, wrong)
  const one = { key: 'github', clientId: 'c' }
  const hub = oauth2Upstream(upstreamIn(JSON.stringify([one]))[0] as never, { isProduction: true })
  const attempt = { secret: 's', redirectUri: 'https://platform.example/back' }
  t.match(await hub.begin({ ...attempt, isFresh: true }), /[?&]prompt=select_account$/)
  t.notMatch(await hub.begin(attempt), /prompt/)
  t.match(upstreamIn(JSON.stringify([one])), [{ name: 'GitHub', tokenUrl: /^https:\/\/github\.com/ }])
  t.throws(() => upstreamIn(JSON.stringify([one, one])), /key of its own/)
})

t.test('Google knows the addresses of Gmail and of its own domains alone', async (t) => {
  const { provedAddress } = await import('../upstream/open-id.ts')
  const google = 'https://accounts.google.com'
  const told = { email: 'Ada@corp.example', email_verified: true }
  t.equal(provedAddress(google, told), undefined)
  t.equal(provedAddress(google, { ...told, hd: 'other.example' }), undefined)
  t.equal(provedAddress(google, { ...told, hd: 'corp.example' }), 'ada@corp.example')
  t.equal(provedAddress(google, { ...told, email: 'ada@gmail.com' }), 'ada@gmail.com')
  t.equal(provedAddress('https://id.corp.example', told), 'ada@corp.example')
  t.equal(provedAddress('https://id.corp.example', { ...told, email_verified: 'true' }), undefined)
})
