// budget: 5 s, because people confirm who they are with passwords that are hashed slowly
import { mock } from 'node:test'
import { newId } from 'agent-platform'
import { decodeJwt } from 'jose'
import t from 'tap'
import { createClient } from '../../../test/client.ts'
import {
  actionOf,
  approve,
  BACK,
  BEGIN,
  browserOf,
  clientOf,
  identityOf,
  inConsole,
  PASSWORD,
  personOf,
  post,
  refresh,
  sessionOf,
  signInBefore,
  tokensOf
} from './testbed.ts'

const ID = { account: 'account_01k4qz0000e0080000000000ab', session: 'session_01k4qz0000e0080000000000ab' }
const needed = { status: 403, body: { error: { code: 'confirmation_required' } } }
const DEVICE = { scope: 'openid agents:read' }
const NEW = 'another long sentence'

t.test('a person changes how it signs in', async (t) => {
  const env = { IDENTITY_SIGN_INS_PER_MINUTE: '1000' }
  const identity = await identityOf(t, { host: 'localhost', env }, 'console')
  const { knex } = identity.platform
  const { admin } = identity
  for (const name of ['ada', 'eve', 'gus']) await personOf(identity, `${name}@example.com`)
  const ada = await inConsole(identity, 'ada@example.com')
  const eve = await inConsole(identity, 'eve@example.com')
  /** What was long ago: the browser has to confirm. */
  const age = (owner: string) =>
    knex('identity.session')
      .where({ owner })
      .update({ authenticatedAt: knex.raw("now() - interval '11 minutes'") })
  const keys = (owner: string, count: number) =>
    knex('identity.passkey').insert(
      Array.from({ length: count }, (_, at) => ({
        project: 'default',
        id: newId('passkey'),
        owner,
        credentialId: `${owner}${at}`,
        publicKey: Buffer.from('x'),
        counter: 0,
        transports: [],
        isSynced: true,
        name: `Key ${at}`
      }))
    )
  const account = async (owner: string, subject: string) => {
    const id = newId('account')
    await knex('identity.account').insert({
      project: 'default',
      id,
      owner,
      issuer: `https://${subject}`,
      subject
    })
    return id
  }

  t.test('only when it has signed in lately, or confirms who it is', async (t) => {
    await keys(ada.who.id, 1)
    const [{ id: passkey }] = await knex('identity.passkey').where({ owner: ada.who.id })
    const linked = await account(ada.who.id, 'corp')
    const all = async () => [
      await ada.ask('/v1/passkeys/challenges', 'POST'),
      await ada.ask('/v1/passkeys', 'POST', { name: 'a', response: {} }),
      await ada.ask(`/v1/passkeys/${passkey}`, 'DELETE'),
      await ada.ask(`/v1/people/me/accounts/${linked}`, 'DELETE'),
      await ada.ask('/v1/people/me/password', 'PUT', { password: NEW })
    ]
    t.match(await ada.ask('/v1/passkeys/challenges', 'POST'), { status: 201 }, 'as it has just signed in')
    await age(ada.who.id)
    for (const reply of await all()) t.match(reply, needed)
    t.match(await ada.ask('/v1/passkeys'), { status: 200 }, 'and looks without that')

    for (const [sent, status, code] of [
      [{ password: 'not the password' }, 403, 'wrong_password'],
      [{ response: { id: 'x', response: {} } }, 403, 'wrong_passkey'],
      [{}, 400, undefined],
      [{ password: PASSWORD, response: {} }, 400, undefined]
    ] as const) {
      const reply = await ada.ask('/v1/people/me/confirm', 'POST', sent)
      t.match([reply.status, reply.body.error.code], [status, code])
    }
    for (const reply of await all()) t.match(reply, needed, 'what is wrong confirms nothing')
    t.match(await eve.ask('/v1/people/me/confirm', 'POST', { password: PASSWORD }), { status: 200 })
    t.match(await ada.ask('/v1/passkeys/challenges', 'POST'), needed, 'nor does another person')
    const { body, status } = await ada.ask('/v1/people/me/confirm/challenges', 'POST')
    t.match([status, body.data.publicKey], [201, { rpId: 'localhost', userVerification: 'required' }])
    t.match(await ada.ask('/v1/people/me/confirm', 'POST', { password: PASSWORD }), {
      status: 200,
      body: { data: { confirmedUntil: /^2/ } }
    })
    t.match(await ada.ask('/v1/passkeys/challenges', 'POST'), { status: 201 })

    const other = await inConsole(identity, 'ada@example.com')
    await age(ada.who.id)
    await other.ask('/v1/people/me/confirm', 'POST', { password: PASSWORD })
    t.match(await ada.ask('/v1/passkeys/challenges', 'POST'), needed, 'each browser for itself')
  })

  t.test(
    'a browser that is known to the provider alone has to confirm; one that is asked anew has not',
    async (t) => {
      const { go, jar, back } = await signInBefore(identity, 'gus@example.com')
      await go(back, undefined, '/console/')
      await knex('identity.artifact').where({ model: 'Session' }).count()
      const first = await sessionOf(identity, jar)
      t.match(await first.ask('/v1/passkeys/challenges', 'POST'), { status: 201 })
      await age(first.who.id)
      const before = await knex('identity.session').where({ owner: first.who.id })
      const silent = await signInBefore(identity, '', '', { go, jar })
      await go(silent.back, undefined, '/console/')
      const [after, ...more] = await knex('identity.session').where({ owner: first.who.id })
      t.equal(more.length, 0, 'the session before is replaced')
      t.ok(
        Date.parse(after.authenticatedAt) > Date.parse(before[0].authenticatedAt),
        'with the time of the password'
      )
      const asked = await go(`${BEGIN}?fresh=true`, undefined, BACK)
      t.match(asked.page, /name="password"/, 'who is known is asked once more')
      const done = await go(actionOf(asked.page), { email: 'gus@example.com', password: PASSWORD }, BACK)
      await go(done.headers.get('location') ?? '', undefined, '/console/')
      t.match(await (await sessionOf(identity, jar)).ask('/v1/passkeys/challenges', 'POST'), { status: 201 })
    }
  )

  t.test('its password, which signs it out everywhere else', async (t) => {
    const tokens = await tokensOf(identity, 'ada@example.com')
    const elsewhere = await inConsole(identity, 'ada@example.com')
    const here = await inConsole(identity, 'ada@example.com')
    // Whoever knows the password may keep a sign-in for later, up to where the browser would go on.
    const parked = browserOf(identity)
    const { page: asked } = await parked.go(BEGIN)
    const signedIn = await parked.go(
      actionOf(asked),
      { email: 'ada@example.com', password: PASSWORD },
      '/identity/authorize/'
    )
    const later = signedIn.headers.get('location') ?? ''
    t.match(later, /identity\/authorize\//)
    for (const [password, param] of [
      ['short', '/password'],
      ['ADA@example.com', '/password']
    ])
      t.match(await here.ask('/v1/people/me/password', 'PUT', { password }), {
        status: 400,
        body: { error: { param } }
      })
    const changed = await here.ask('/v1/people/me/password', 'PUT', { password: NEW })
    t.match(changed, { status: 200, body: { data: { email: 'ada@example.com' } } })
    t.notMatch(JSON.stringify(changed), /argon2|another long/)
    t.match(await here.ask('/v1/auth/me'), { status: 200 })
    t.match(await elsewhere.ask('/v1/auth/me'), { status: 401 })
    t.match(await ada.ask('/v1/auth/me'), { status: 401 })
    const gone = await parked.go(later, undefined, BACK)
    t.notMatch(
      gone.headers.get('location') ?? '',
      /code=/,
      'nor is a sign-in that was kept good for anything'
    )
    t.match((await elsewhere.go(BEGIN)).page, /name="password"/, 'nor is that browser known')
    t.match(await refresh(identity, tokens.refresh_token), { status: 400, body: { error: 'invalid_grant' } })
    const { go } = browserOf(identity)
    const { page } = await go(BEGIN)
    const old = await go(actionOf(page), { email: 'ada@example.com', password: PASSWORD })
    t.equal(old.status, 401)
    const now = await go(actionOf(old.page), { email: 'ada@example.com', password: NEW }, BACK)
    t.match(now.headers.get('location'), /code=/)
    await knex('identity.person')
      .where({ email: 'ada@example.com' })
      .update({
        passwordHash: knex('identity.person').where({ email: 'eve@example.com' }).select('passwordHash')
      })
  })

  t.test('its accounts elsewhere and passkeys, but for the last way to sign in', async (t) => {
    const here = await inConsole(identity, 'eve@example.com')
    const { id } = here.who
    const [one, two] = [await account(id, 'one'), await account(id, 'two')]
    await keys(id, 2)
    await knex('identity.person').where({ id }).update({ passwordHash: null, addressProvedAt: new Date() })
    t.match(await here.ask('/v1/people/me/accounts?limit=1'), {
      status: 200,
      body: { data: [{ id: two, issuer: 'https://two', subject: 'two' }], nextCursor: /./ }
    })
    const adas = await inConsole(identity, 'ada@example.com')
    t.match(await adas.ask(`/v1/people/me/accounts/${one}`, 'DELETE'), {
      status: 403,
      body: { error: { code: 'not_owner' } }
    })
    t.match(await here.ask(`/v1/people/me/accounts/${ID.account}`, 'DELETE'), { status: 404 })
    t.match(await here.ask(`/v1/people/me/accounts/${one}`, 'DELETE'), { body: { data: { deleted: true } } })
    t.match(await here.ask(`/v1/people/me/accounts/${one}`, 'DELETE'), { status: 404 })
    t.match(
      await knex('identity.person').where({ id }),
      [{ addressProvedAt: null }],
      'its address alone does not link it again'
    )
    const passkeys = await knex('identity.passkey').where({ owner: id }).pluck('id')
    const rest = [...passkeys.map((key: string) => `/v1/passkeys/${key}`), `/v1/people/me/accounts/${two}`]
    const replies = await Promise.all(rest.map((path) => here.ask(path, 'DELETE')))
    t.same(
      replies.map(({ status }) => status).sort(),
      [200, 200, 409],
      'also of those that are removed at once'
    )
    t.match(
      replies.find(({ status }) => status === 409),
      { body: { error: { code: 'last_way' } } }
    )
    await here.ask('/v1/people/me/password', 'PUT', { password: PASSWORD })
    const left = rest[replies.findIndex(({ status }) => status === 409)] as string
    t.match(await here.ask(left, 'DELETE'), { status: 200 }, 'once there is a password')
  })

  t.test('sees where it is signed in, and signs out there', async (t) => {
    const tokens = await tokensOf(identity, 'gus@example.com')
    const one = await inConsole(identity, 'gus@example.com')
    const two = await inConsole(identity, 'gus@example.com')
    const { body } = await two.ask('/v1/people/me/sessions')
    t.match(body.data.slice(0, 3), [
      { kind: 'browser', isCurrent: true, projectId: null },
      { kind: 'browser', isCurrent: false, renewedAt: null },
      {
        kind: 'program',
        name: 'Command line',
        projectId: /^project_/,
        renewedAt: /^2/,
        authenticatedAt: null
      }
    ])
    t.notMatch(JSON.stringify(body), /key_|credential|grantId/)
    t.match((await two.ask('/v1/people/me/sessions?limit=1')).body, { data: [{}], nextCursor: /./ })
    const [, first, program] = body.data
    const path = (id: string) => `/v1/people/me/sessions/${id}`
    const eves = await inConsole(identity, 'eve@example.com')
    t.match(await eves.ask(path(first.id), 'DELETE'), { status: 403, body: { error: { code: 'not_owner' } } })
    t.match(await two.ask(path(ID.session), 'DELETE'), { status: 404 })
    t.match(await two.ask(path(first.id), 'DELETE'), { status: 200 })
    t.match(await two.ask(path(first.id), 'DELETE'), { status: 404 })
    t.match(await one.ask('/v1/auth/me'), { status: 401 })
    t.match((await one.go(BEGIN)).page, /name="password"/)
    t.match(await two.ask(path(program.id), 'DELETE'), { status: 200 })
    t.match(await refresh(identity, tokens.refresh_token), { status: 400 })
    const three = await inConsole(identity, 'gus@example.com')
    const stillTokens = await tokensOf(identity, 'gus@example.com')
    t.match(await two.ask('/v1/people/me/sessions/end-others', 'POST'), {
      status: 200,
      body: { data: { ended: Number } }
    })
    t.match(await three.ask('/v1/auth/me'), { status: 401 })
    t.match(await refresh(identity, stillTokens.refresh_token), { status: 400 })
    t.match(await two.ask('/v1/people/me/sessions'), {
      body: { data: [{ isCurrent: true }], nextCursor: null }
    })
    const again = await signInBefore(identity, '', '', two)
    t.match(again.back, /code=/, 'and this browser stays known')
    t.match(await two.ask('/console/session', 'DELETE'), { status: 200 })
    t.same(await knex('identity.session').where({ owner: two.who.id }), [])
  })

  t.test('makes keys only then, too, as they outlast what it signed in with', async (t) => {
    const here = await inConsole(identity, 'eve@example.com')
    const { id, project } = here.who
    const own = `/v1/projects/${project}/keys`
    const made = await here.ask('/v1/auth/api-keys', 'POST', { name: 'by the browser' })
    t.match(made, { status: 201 }, 'as it has just signed in')
    const ofProject = await here.ask(own, 'POST', { name: 'of the project' })
    t.match(ofProject, { status: 201 })
    await age(id)
    for (const path of ['/v1/auth/api-keys', own]) {
      t.match(await here.ask(path, 'POST', { name: 'late' }), needed, path)
      t.match(await here.ask(path), { status: 200 }, 'and looks without that')
      t.match(await here.ask(path, 'POST', {}), { status: 400 }, 'what is wrong is told before')
    }
    const keys = [made.body.data, ofProject.body.data].map(({ key }) =>
      createClient(identity.url, 'eve', key)
    )
    for (const key of keys)
      t.match(
        await key.post('/v1/auth/api-keys', { name: 'by a key' }),
        { status: 201 },
        'keys are as they were'
      )
    t.match(await here.ask('/v1/people/me/confirm', 'POST', { password: PASSWORD }), { status: 200 })
    for (const path of ['/v1/auth/api-keys', own])
      t.match(await here.ask(path, 'POST', { name: 'confirmed' }), { status: 201 })
    t.equal(
      (await knex('kernel.credential').where({ principal: id, name: 'late' })).length,
      0,
      'nothing was made'
    )
  })

  t.test('and by a token that says when it signed in', async (t) => {
    const late = { name: 'late' }
    const begin = async (more: object) =>
      post(`${identity.address}/identity/device-authorization`, {
        client_id: 'platform-cli',
        ...DEVICE,
        ...more
      })
    const known = browserOf(identity)
    const tokens = await tokensOf(identity, 'eve@example.com', { browser: known })
    const { project_id: project, auth_time: since } = decodeJwt(tokens.access_token)
    t.type(since, 'number')
    const paths = ['/v1/auth/api-keys', `/v1/projects/${project}/keys`]
    const client = clientOf(identity, tokens)
    for (const path of paths) t.match(await client.post(path, { name: 'early' }), { status: 201 })
    const { body } = await refresh(identity, tokens.refresh_token)
    t.equal(decodeJwt(body.access_token).auth_time, since, 'a new token proves nothing anew')
    // A session that was made with a token, of which nobody can tell.
    const opened = await client.post('/console/session', {})
    t.equal(opened.status, 201)
    const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? ''
    const session = { cookie, 'sec-fetch-site': 'same-origin' }
    for (const path of paths) t.match(await identity.anyone.post(path, late, session), needed, path)

    mock.timers.enable({ apis: ['Date'], now: Date.now() + 610_000 })
    t.teardown(() => mock.timers.reset())
    for (const path of paths) t.match(await client.post(path, late), needed, path)
    const [silent, anew] = [await begin({}), await begin({ max_age: '60' })]
    t.match(await approve(known, silent.body), /name="decision"/, 'who is known is not asked')
    t.match(await approve(known, anew.body), /name="password"/, 'but where the program wants that')
  })

  t.test('by no token and no key, nor by a page of another site', async (t) => {
    const token = clientOf(identity, await tokensOf(identity, 'gus@example.com'))
    const routes = [
      ['GET', '/v1/people/me/accounts'],
      ['GET', '/v1/people/me/sessions'],
      ['DELETE', `/v1/people/me/accounts/${ID.account}`],
      ['DELETE', `/v1/people/me/sessions/${ID.session}`],
      ['POST', '/v1/people/me/sessions/end-others'],
      ['POST', '/v1/people/me/confirm/challenges'],
      ['POST', '/v1/people/me/confirm', { password: PASSWORD }],
      ['PUT', '/v1/people/me/password', { password: NEW }]
    ] as const
    const headers = { 'content-type': 'application/json' }
    for (const [method, path, body] of routes) {
      const options = { ...(body && { body: JSON.stringify(body), headers }) }
      t.match(
        await token.request(method, path, options),
        { status: 403, body: { error: { code: 'browser_required' } } },
        path
      )
      t.match(await identity.as('bob').request(method, path, options), {
        status: 403,
        body: { error: { code: 'person_required' } }
      })
      t.match(await identity.anyone.request(method, path, options), { status: 401 })
    }
    const { jar } = await inConsole(identity, 'gus@example.com')
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ')
    const cross = { ...headers, cookie, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example.com' }
    for (const [method, path, body = {}] of routes) {
      if (method === 'GET') continue
      const sent = { headers: cross, ...(method !== 'DELETE' && { body: JSON.stringify(body) }) }
      t.match(
        await identity.anyone.request(method, path, sent),
        { status: 403, body: { error: { code: 'cross_origin' } } },
        path
      )
    }
  })

  t.test('and an operator helps: unlinks, and releases an address', async (t) => {
    const [{ id }] = await knex('identity.person').where({ email: 'gus@example.com' })
    const own = `/v1/people/${id}`
    const linked = await account(id, 'gone')
    for (const client of [
      identity.as('bob'),
      clientOf(identity, await tokensOf(identity, 'gus@example.com'))
    ]) {
      t.match(await client.get(`${own}/accounts`), { status: 403 })
      t.match(await client.delete(`${own}/accounts/${linked}`), { status: 403 })
      t.match(await client.post(`${own}/release-address`), { status: 403 })
    }
    t.match(await admin.get(`${own}/accounts?limit=1`), { status: 200, body: { data: [{ id: linked }] } })
    t.match(await admin.get('/v1/people/person_01k4qz0000e0080000000000ab/accounts'), { status: 404 })
    t.match(
      await admin.delete(`/v1/people/${ada.who.id}/accounts/${linked}`),
      { status: 404 },
      'of another person'
    )
    t.match(await admin.delete(`${own}/accounts/${linked}`), { status: 200 })
    t.match(await admin.post(`${own}/release-address`), {
      status: 409,
      body: { error: { code: 'last_way' } }
    })
    t.match(await admin.post(`${own}/disable`), { status: 200 })
    t.match(await admin.post(`${own}/release-address`), {
      status: 200,
      body: { data: { email: /@released\.invalid$/ } }
    })
    t.match(await admin.post(`${own}/release-address`), { status: 409 })
    await personOf(identity, 'gus@example.com')
    t.equal((await knex('identity.person').where({ email: 'gus@example.com' }).whereNot({ id })).length, 1)
    await admin.post(`${own}/enable`)
    const { go } = browserOf(identity)
    const { page } = await go(BEGIN)
    const { email } = (await admin.get(own)).body.data
    t.equal((await go(actionOf(page), { email, password: PASSWORD })).status, 401, 'its password is gone')
    const facts = await knex('kernel.fact').whereIn('name', [
      'identity.account_unlinked',
      'identity.address_released',
      'identity.password_changed',
      'identity.sessions_ended'
    ])
    t.equal(new Set(facts.map(({ name }: { name: string }) => name)).size, 4)
    const unlinked = facts.filter(({ name }: { name: string }) => name === 'identity.account_unlinked')
    t.match(unlinked.at(-1), { subject: linked, data: { personId: id, issuer: 'https://gone' } })
    t.notMatch(JSON.stringify(facts), /gus@|argon2|another long/)
  })
})
