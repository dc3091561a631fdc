import { createHmac } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { SignJWT } from 'jose'
import type { Test } from 'tap'
import t from 'tap'
import { boot } from '../boot.ts'
import { createClient } from '../client.ts'
import type { Signer } from '../identity-provider.ts'
import { provider, signer } from '../identity-provider.ts'
import { refused } from './refused.ts'

const BASE_URL = 'https://agents.example'
const now = () => Math.floor(Date.now() / 1000)
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

async function setUp(t: Test) {
  const keys = [await signer('ES256'), await signer('EdDSA'), await signer('RS256')]
  const { issuer, state } = await provider(
    t,
    keys.map(({ jwk }) => jwk)
  )
  const sign = (claims: object = {}, { by = keys[0] as Signer, typ = 'at+jwt' as string | undefined } = {}) =>
    new SignJWT({ iss: issuer, aud: BASE_URL, sub: 'ada', exp: now() + 300, scope: 'agents:read', ...claims })
      .setProtectedHeader({ alg: by.alg, ...(by.kid && { kid: by.kid }), ...(typ && { typ }) })
      .sign(by.privateKey)
  const booted = await boot(t, 'goals', { env: { AUTH_URL: issuer, BASE_URL } })
  return { ...booted, keys, issuer, state, sign }
}

t.test('who is let in with a token', async (t) => {
  const { anyone, sign, keys, issuer } = await setUp(t)
  const ask = async (token: string, path = '/v1/agents', more = {}) =>
    anyone.get(path, { ...bearer(token), ...more })

  for (const by of keys) t.match(await ask(await sign({}, { by })), { status: 200 }, by.alg)
  for (const typ of ['JWT', 'jwt', 'application/at+jwt'])
    t.match(await ask(await sign({}, { typ })), { status: 200 }, typ)
  t.match(await ask(await sign({ aud: ['other', BASE_URL] })), { status: 200 })
  t.match(await ask(await sign({ exp: now() - 15 })), { status: 200 }, 'within the tolerance')
  t.match(
    await ask(await sign({ project_id: 'other', principal_type: 'service' }), '/v1/auth/me', {
      'x-initiator': 'ann'
    }),
    {
      status: 200,
      body: {
        data: { principalId: 'ada', principalType: 'service', project: 'other', owner: 'ann', narrowed: true }
      }
    }
  )

  const stranger = await signer('ES256')
  const bad: Record<string, string> = {
    'of another issuer': await sign({ iss: 'https://evil.example' }),
    'for another audience': await sign({ aud: 'https://other.example' }),
    'for nobody': await sign({ aud: undefined }),
    'that has expired': await sign({ exp: now() - 45 }),
    'that never expires': await sign({ exp: undefined }),
    'that is not good yet': await sign({ nbf: now() + 300 }),
    'without a subject': await sign({ sub: undefined }),
    'with an odd subject': await sign({ sub: 'a b' }),
    'of an odd type of principal': await sign({ principal_type: 'root' }),
    'of an odd project': await sign({ project_id: '../x' }),
    'that is another kind of token': await sign({}, { typ: 'id+jwt' }),
    'without a type': await sign({}, { typ: '' }),
    'by a stranger with a known key id': await sign({}, { by: { ...stranger, kid: keys[0]?.kid } }),
    'by a stranger': await sign({}, { by: stranger }),
    'that was changed': (await sign()).replace(
      /\.[^.]+\./,
      `.${Buffer.from(JSON.stringify({ iss: issuer, aud: BASE_URL, sub: 'root', exp: now() + 300, scope: 'platform:admin' })).toString('base64url')}.`
    )
  }
  const part = (it: object) => Buffer.from(JSON.stringify(it)).toString('base64url')
  const claims = part({ iss: issuer, aud: BASE_URL, sub: 'ada', exp: now() + 300, scope: 'agents:read' })
  bad['without a signature'] = `${part({ alg: 'none', typ: 'at+jwt' })}.${claims}.`
  const symmetric = `${part({ alg: 'HS256', typ: 'at+jwt', kid: keys[0]?.kid })}.${claims}`
  const secret = JSON.stringify(keys[0]?.jwk)
  bad['signed with a public key as a secret'] =
    `${symmetric}.${createHmac('sha256', secret).update(symmetric).digest('base64url')}`
  for (const [name, token] of Object.entries(bad)) {
    const reply = await ask(token)
    refused(t, reply, 401, {}, name)
    t.notMatch(reply.text, token)
  }
})

t.test('what a token may', async (t) => {
  const { anyone, sign, as } = await setUp(t)
  const agent = await as('ada').agent()
  const path = `/v1/agents/${agent.id}`
  t.match(await anyone.get(path, bearer(await sign())), { status: 200 }, 'the same principal as by key')
  const goal = await as('ada').post('/v1/goals', { agentId: agent.id, title: 'x' })
  const goals = `/v1/goals/${goal.body.data.id}`
  t.match(
    await anyone.get(goals, bearer(await sign())),
    { status: 200 },
    'ownership asks people for no scope'
  )
  refused(t, await anyone.get(goals, bearer(await sign({ sub: 'eve' }))), 403, { code: 'not_owner' })
  const ofService = bearer(await sign({ sub: 'crm', principal_type: 'service' }))
  refused(t, await anyone.get(goals, ofService), 403, { code: 'scope_missing' })
  refused(t, await anyone.get(path, bearer(await sign({ sub: 'eve' }))), 403, { code: 'not_owner' })
  refused(
    t,
    await anyone.get(path, bearer(await sign({ scope: undefined }))),
    403,
    { code: 'scope_missing' },
    'no scope, none'
  )
  refused(t, await anyone.put(path, { name: 'x' }, bearer(await sign())), 403, { code: 'scope_missing' })
  refused(t, await anyone.get(path, bearer(await sign({ project_id: 'other' }))), 403)
  refused(
    t,
    await anyone.get(path, bearer(await sign({ principal_type: 'service' }))),
    401,
    {},
    'of another type than is known'
  )
})

t.test('keys that are made with a token', async (t) => {
  const { anyone, sign, url } = await setUp(t)
  const make = async (claims: object, fields = {}) =>
    anyone.post('/v1/auth/api-keys', { name: 'made', ...fields }, bearer(await sign(claims)))
  refused(t, await make({ scope: 'agents:read' }, { scopes: ['agents:write'] }), 403, { param: '/scopes' })
  t.match(await make({ scope: 'agents:read' }), { body: { data: { scopes: ['agents:read'] } } }, 'no more')
  const reads = await make({ scope: 'agents:read' }, { scopes: ['goals:read'] })
  t.match(reads, { status: 201 }, 'what ownership decides people have')

  // Of the token that has ended, a part of the thirty seconds' tolerance is left.
  const short = await make({ exp: now() - 24 })
  const client = createClient(url, 'short', short.body.data.key)
  t.match(await client.get('/v1/agents'), { status: 200 })
  const until = performance.now() + 60_000
  while ((await client.get('/v1/agents')).status === 200 && performance.now() < until) await pause(100)
  refused(t, await client.get('/v1/agents'), 401, {}, 'the key ends with its token')
})

t.test('an agent with a token', async (t) => {
  const { anyone, sign, as } = await setUp(t)
  const agent = await as('ada').agent()
  const scope = 'agents:create agents:read'
  const own = bearer(await sign({ sub: agent.id, principal_type: 'agent', scope }))
  t.match((await anyone.get('/v1/auth/me', own)).body.data, { principalId: agent.id, owner: 'ada' })
  const made = await anyone.post('/v1/agents', { name: 'Made' }, own)
  t.match(made, { status: 201, body: { data: { owner: 'ada' } } })
  t.match(await as('ada').get(`/v1/agents/${made.body.data.id}`), { status: 200 }, 'its owner reaches it')
  for (const sub of ['agent_01k4qz0000e0080000000000ab', 'nobody']) {
    const token = await sign({ sub, principal_type: 'agent', scope })
    refused(t, await anyone.get('/v1/auth/me', bearer(token)), 401, {}, `no agent ${sub}`)
  }
  const elsewhere = await sign({ sub: agent.id, principal_type: 'agent', project_id: 'other', scope })
  refused(t, await anyone.get('/v1/auth/me', bearer(elsewhere)), 401, {}, 'of another project')
})

t.test('the provider is away', async (t) => {
  const { anyone, sign, state } = await setUp(t)
  state.up = false
  refused(t, await anyone.get('/v1/agents', bearer(await sign())), 503, {}, 'before its keys are known')
  refused(t, await anyone.get('/v1/agents', bearer('a.b.c')), 401, {}, 'what is no token needs no keys')
})

t.test('without a provider no token is good', async (t) => {
  const { anyone } = await boot(t, 'goals')
  const by = await signer('ES256')
  const token = await new SignJWT({ sub: 'ada', exp: now() + 300 })
    .setProtectedHeader({ alg: by.alg, typ: 'JWT' })
    .sign(by.privateKey)
  refused(t, await anyone.get('/v1/agents', bearer(token)), 401)
})
