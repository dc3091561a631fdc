import { decodeJwt, decodeProtectedHeader } from 'jose'
import t from 'tap'
import {
  actionOf,
  browserOf,
  clientOf,
  identityOf,
  PASSWORD,
  personOf,
  post,
  refresh,
  runJob,
  tokensOf
} from './testbed.ts'

t.test('people sign in', async (t) => {
  const identity = await identityOf(t)
  const { address, anyone, platform } = identity
  await personOf(identity, 'Ada@Example.com')

  t.test('what the provider serves is found at the issuer', async (t) => {
    const { body: found } = await anyone.get('/identity/.well-known/openid-configuration')
    t.match(found, {
      issuer: `${address}/identity`,
      token_endpoint: `${address}/identity/token`,
      device_authorization_endpoint: `${address}/identity/device-authorization`,
      jwks_uri: `${address}/identity/jwks`,
      code_challenge_methods_supported: ['S256']
    })
    const { body: same } = await anyone.get('/.well-known/oauth-authorization-server/identity')
    t.equal(same.issuer, found.issuer)
    const addresses = Object.entries({ ...same, ...found }).filter(([name]) => /_(endpoint|uri)$/.test(name))
    t.ok(addresses.length >= 5)
    for (const [name, url] of addresses) {
      const path = String(url).replace(address, '')
      const isPost = /token|revocation|device|pushed|introspection|registration/.test(name)
      const { status } = await (isPost ? anyone.request('POST', path) : anyone.get(path))
      t.ok(status < 404, `${name} is served: ${status}`)
    }
    const offered = JSON.stringify([found, same])
    t.notMatch(offered, /pushed_authorization|dpop/, 'nothing that is not implemented is offered')
    const { body: keys } = await anyone.get('/identity/jwks')
    t.match(keys.keys, [{ kty: 'EC', alg: 'ES256', kid: /^sign_/ }])
    t.notOk('d' in keys.keys[0], 'no private part')
    const [row] = await platform.knex('identity.signing_key')
    t.notMatch(row.sealed, /"d"/)
  })

  t.test('by the device flow, for tokens that are short-lived and of one project', async (t) => {
    const tokens = await tokensOf(identity, 'ada@example.com')
    t.equal(decodeProtectedHeader(tokens.access_token).typ, 'at+jwt')
    const claims = decodeJwt(tokens.access_token)
    t.match(claims, {
      iss: `${address}/identity`,
      aud: address,
      principal_type: 'user',
      project_id: /^project_/
    })
    t.equal(Number(claims.exp) - Number(claims.iat), 600)
    t.notMatch(claims.scope, /platform:admin/, 'which is for operators')
    t.match(await clientOf(identity, tokens).get('/v1/auth/me'), {
      status: 200,
      body: {
        data: { principalId: /^person_/, principalType: 'user', project: claims.project_id, narrowed: false }
      }
    })
    t.match(await clientOf(identity, tokens).agent(), { id: /^agent_/ })
    t.match(decodeJwt(tokens.id_token), { email: 'ada@example.com', sub: claims.sub })
  })

  t.test('a refresh token is good once: a second use ends what came of it', async (t) => {
    const first = await tokensOf(identity, 'ada@example.com')
    const second = await refresh(identity, first.refresh_token)
    t.equal(second.status, 200)
    t.not(second.body.refresh_token, first.refresh_token)
    t.match(await refresh(identity, first.refresh_token), { status: 400, body: { error: 'invalid_grant' } })
    t.match(await refresh(identity, second.body.refresh_token), {
      status: 400,
      body: { error: 'invalid_grant' }
    })
  })

  t.test('of two that use one at the same time at most one gets through', async (t) => {
    const { refresh_token: token } = await tokensOf(identity, 'ada@example.com')
    const replies = await Promise.all(Array.from({ length: 6 }, () => refresh(identity, token)))
    t.ok(replies.filter(({ status }) => status === 200).length <= 1)
    for (const { status, body } of replies) if (status !== 200) t.equal(body.error, 'invalid_grant')
  })

  t.test('tokens are stored as nothing that someone could use', async (t) => {
    const { refresh_token: token } = await tokensOf(identity, 'ada@example.com')
    const rows = await platform.knex('identity.artifact')
    t.ok(rows.length > 0)
    t.notOk(JSON.stringify(rows).includes(token))
    const [person] = await platform.knex('identity.person')
    t.match(person.passwordHash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  t.test('what is wrong is refused as OAuth has it', async (t) => {
    const token = `${address}/identity/token`
    t.match(await post(token, { client_id: 'nobody', grant_type: 'refresh_token', refresh_token: 'x' }), {
      status: 401,
      body: { error: 'invalid_client' }
    })
    t.match(await post(token, { client_id: 'platform-cli', grant_type: 'password' }), {
      status: 400,
      body: { error: 'unsupported_grant_type' }
    })
    t.match(await refresh(identity, 'x'.repeat(16_000)), { status: 400, body: { error: 'invalid_grant' } })
    t.match(await refresh(identity, 'x'.repeat(70_000)), { status: 413 })
    const waiting = await post(`${address}/identity/device-authorization`, {
      client_id: 'platform-cli',
      scope: 'openid'
    })
    const poll = {
      client_id: 'platform-cli',
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: waiting.body.device_code
    }
    t.match(await post(token, poll), { status: 400, body: { error: 'authorization_pending' } })
    const elsewhere = {
      client_id: 'console',
      response_type: 'code',
      redirect_uri: 'https://evil.example.com/'
    }
    const { go } = browserOf(identity)
    const page = await go(`/identity/authorize?${new URLSearchParams(elsewhere)}`)
    t.match(page, { status: 400 }, 'no redirection to where no application is')
    t.notOk(page.headers.get('location'))
    const other = await post(`${address}/identity/device-authorization`, {
      client_id: 'platform-cli',
      scope: 'openid',
      resource: 'https://other.example.com'
    })
    t.match(other, { status: 400, body: { error: 'invalid_target' } })
  })

  t.test('pages run no script, are shown in no frame, and take no form of another site', async (t) => {
    const { go } = browserOf(identity)
    for (const lost of [
      await fetch(`${address}/identity/device`, {
        method: 'POST',
        body: new URLSearchParams({ user_code: 'x' })
      }),
      await fetch(`${address}/identity/device/unknown`)
    ]) {
      t.equal(lost.status, 400, 'of a browser that has begun nothing')
      t.match(await lost.text(), 'Begin once more')
    }
    const { headers, page } = await go('/identity/device')
    const policy = headers.get('content-security-policy') ?? ''
    t.match(policy, /default-src 'none'/)
    t.match(policy, /frame-ancestors 'none'/)
    t.notMatch(policy, /script-src|unsafe/)
    t.notMatch(page, /<script/)
    const reply = await fetch(`${identity.url}/identity/interaction/abc/sign-in`, {
      method: 'POST',
      headers: { origin: 'https://evil.example.com', 'sec-fetch-site': 'cross-site' },
      body: new URLSearchParams({ email: 'ada@example.com', password: PASSWORD })
    })
    t.equal(reply.status, 403)
    const lost = await go('/identity/interaction/abc')
    t.match(lost, { status: 400, page: /took too long/ })
  })
})

t.test('passwords are slow to guess, whether there is an account or not', async (t) => {
  const identity = await identityOf(t, { env: { IDENTITY_SIGN_INS_PER_MINUTE: '1000' } })
  await personOf(identity, 'ada@example.com')
  const begun = await post(`${identity.address}/identity/device-authorization`, {
    client_id: 'platform-cli',
    scope: 'openid'
  })
  const { go } = browserOf(identity)
  const { page: entry } = await go(begun.body.verification_uri_complete)
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(entry)?.[1] ?? ''
  const { page: login } = await go(actionOf(entry), { xsrf, user_code: begun.body.user_code, confirm: 'yes' })
  for (const email of ['ada@example.com', 'nobody@example.com']) {
    const statuses = new Set<number>()
    for (let guess = 0; guess < 12; guess++) {
      const { status, page } = await go(actionOf(login), { email, password: `guess ${guess} of many` })
      statuses.add(status)
      if (status === 401) t.match(page, /The address or the password is wrong/)
    }
    t.strictSame([...statuses], [401, 429], email)
  }
  t.match(await go(actionOf(login), { email: 'ada@example.com', password: PASSWORD }), { status: 429 })
})

t.test('keys are replaced: tokens of the one before stay good', async (t) => {
  const identity = await identityOf(t)
  await personOf(identity, 'ada@example.com')
  const before = await tokensOf(identity, 'ada@example.com')
  const { knex } = identity.platform
  // The first key has been there for long.
  await knex('identity.signing_key').update({ usableAt: new Date(Date.now() - 40 * 24 * 3_600_000) })
  await runJob(identity, 'identity.rotate')
  const { body } = await identity.anyone.get('/identity/jwks')
  t.equal(body.keys.length, 2)
  t.equal(body.keys[0].kid, decodeProtectedHeader(before.access_token).kid, 'the new one signs nothing yet')
  await knex('identity.signing_key')
    .where({ id: body.keys[1].kid })
    .update({ usableAt: new Date(Date.now() - 1_000) })
  await runJob(identity, 'identity.rotate')
  const after = await tokensOf(identity, 'ada@example.com')
  t.equal(decodeProtectedHeader(after.access_token).kid, body.keys[1].kid)
  for (const tokens of [before, after])
    t.match(await clientOf(identity, tokens).get('/v1/auth/me'), { status: 200 })
})
