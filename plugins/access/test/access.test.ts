import { SignJWT } from 'jose'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { createClient } from '../../../test/client.ts'
import { provider, signer } from '../../../test/identity-provider.ts'
import { KEYS, ME } from './testbed.ts'

t.test('GET /v1/auth/me', async (t) => {
  const platform = await boot(t, 'access')
  const { as, anyone } = platform

  t.test('says who asks and what the credential may', async (t) => {
    const { status, body } = await as('ada').get(ME)
    t.equal(status, 200)
    t.match(body.data, {
      principalId: 'ada',
      principalType: 'user',
      project: 'default',
      owner: 'ada',
      narrowed: false
    })
    t.equal(body.data.initiator, null)
    t.ok(body.data.scopes.includes('agents:run'))
    t.notOk(body.data.scopes.includes('platform:admin'))
  })

  t.test('needs no scope of a narrowed key', async (t) => {
    const { status, body } = await as('bob', { scopes: ['usage:read'] }).get(ME)
    t.match({ status, ...body.data }, { status: 200, narrowed: true })
    t.strictSame(body.data.scopes, ['usage:read'])
  })

  t.test('a service acts for its initiator, others may not', async (t) => {
    const service = as('crm', { type: 'service' })
    t.match(await service.get(ME, { 'x-initiator': 'cleo' }), {
      status: 200,
      body: { data: { principalId: 'crm', principalType: 'service', initiator: 'cleo', owner: 'cleo' } }
    })
    t.match(await as('ada').get(ME, { 'x-initiator': 'cleo' }), {
      status: 403,
      body: { error: { code: 'initiator_refused' } }
    })
  })

  t.test('takes nothing but a good credential', async (t) => {
    const missing = await anyone.get(ME)
    t.match(missing, { status: 401, body: { error: { type: 'authentication_error' } } })
    t.match(missing.headers.get('www-authenticate'), /^Bearer/)
    const key = await as('ada').key()
    const { body } = await as('ada').post(KEYS, { name: 'legacy' })
    for (const good of [key, body.data.key]) {
      const typo = good.slice(0, -1) + (good.endsWith('a') ? 'b' : 'a')
      t.match(await createClient(platform.url, 'ada', typo).get(ME), { status: 401 })
    }
    t.match(await as('ada').get(`${ME}?verbose=1`), { status: 400, body: { error: { param: 'verbose' } } })
  })
})

t.test('access tokens of an identity provider', async (t) => {
  const key = await signer('EdDSA')
  const { issuer } = await provider(t, [key.jwk])
  const BASE_URL = 'https://platform.example.com'
  const platform = await boot(t, 'access', { env: { AUTH_URL: issuer, BASE_URL } })
  const token = (claims: object, audience = BASE_URL) =>
    new SignJWT({ ...claims })
      .setProtectedHeader({ alg: key.alg, kid: key.kid as string, typ: 'at+jwt' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject('ada')
      .setExpirationTime('5 minutes')
      .sign(key.privateKey)
  const holder = async (claims: object, audience?: string) =>
    createClient(platform.url, 'ada', await token(claims, audience))

  const ada = await holder({ scope: 'auth:write agents:read', project_id: 'acme' })
  t.match(await ada.get(ME), {
    status: 200,
    body: { data: { principalId: 'ada', principalType: 'user', project: 'acme', narrowed: false } }
  })
  const { body } = await ada.post(KEYS, { name: 'script' })
  t.strictSame(body.data.scopes, ['auth:write', 'agents:read'])
  t.match(await createClient(platform.url, 'ada', body.data.key).get(ME), {
    body: { data: { principalId: 'ada', project: 'acme' } }
  })
  t.match(await (await holder({})).get(KEYS), { status: 200 }, 'by ownership people need no scope')
  t.match(await (await holder({})).get('/v1/agents'), { status: 403 }, 'no scope means none')
  t.match(await (await holder({ principal_type: 'service' })).get(KEYS), { status: 403 })
  t.match(await (await holder({}, 'https://other.example.com')).get(ME), { status: 401 })
})

t.test('without authentication everyone is the local user, who may make keys', async (t) => {
  const { anyone } = await boot(t, 'access', { env: { API_AUTH_REQUIRED: 'false' } })
  t.match(await anyone.get(ME), { status: 200, body: { data: { principalId: 'local' } } })
  t.match(await anyone.post(KEYS, { name: 'later' }), { status: 201 })
})

t.test('the key set is public, bare and may be cached for a while', async (t) => {
  const { anyone } = await boot(t, 'access')
  const { status, body, headers } = await anyone.get('/.well-known/jwks.json')
  t.equal(status, 200)
  t.equal(headers.get('cache-control'), 'public, max-age=60')
  t.strictSame(Object.keys(body), ['keys'])
  for (const key of body.keys)
    t.strictSame(Object.keys(key).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x'], 'no private part')
  t.match(body.keys[0], { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid: /^sk_/ })
  t.match(await anyone.get('/.well-known/jwks.json?a=1'), { status: 400, body: { error: { param: 'a' } } })
  t.match(await anyone.get('/v1/.well-known/jwks.json'), { status: 404 })
})
