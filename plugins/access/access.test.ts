import { createHash } from 'node:crypto'
import { SignJWT } from 'jose'
import t from 'tap'
import type { Booted } from '../../test/boot.ts'
import { boot } from '../../test/boot.ts'
import type { Client } from '../../test/client.ts'
import { createClient } from '../../test/client.ts'
import { provider, signer } from '../../test/identity-provider.ts'

const KEYS = '/v1/auth/api-keys'
const ME = '/v1/auth/me'

/** A new key of that principal, and a client that uses it. */
async function keyOf({ url }: Booted, by: Client, fields: object = {}) {
  const { status, body } = await by.post(KEYS, { name: 'script', ...fields })
  if (status !== 201) throw new Error(`No key: ${status} ${JSON.stringify(body)}`)
  return { ...body.data, client: createClient(url, by.id, body.data.key) }
}

t.test('GET /v1/auth/me', async (t) => {
  const platform = await boot(t, 'access')
  const { as, anyone } = platform

  t.test('says who asks and what he may', async (t) => {
    const { status, body } = await as('ada').get(ME)
    t.equal(status, 200)
    t.match(body.data, {
      principalId: 'ada',
      principalType: 'user',
      project: 'default',
      owner: 'ada',
      narrowed: false
    })
    t.notOk('initiator' in body.data)
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
    const typo = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a')
    t.match(await createClient(platform.url, 'ada', typo).get(ME), { status: 401 })
    t.match(await as('ada').get(`${ME}?verbose=1`), { status: 400, body: { error: { param: 'verbose' } } })
  })
})

t.test('keys', async (t) => {
  const platform = await boot(t, 'access')
  const { as, anyone } = platform
  const ada = as('ada')

  t.test('are shown whole once, stored as a hash, and act as their maker', async (t) => {
    const { status, body, headers } = await ada.post(KEYS, { name: 'Nightly report' })
    t.equal(status, 201)
    t.match(body.data, {
      id: /^key_/,
      name: 'Nightly report',
      key: /^apk_/,
      lastUsedAt: null,
      revokedAt: null
    })
    t.equal(headers.get('cache-control'), 'no-store')
    t.ok(body.data.key.startsWith(body.data.prefix))
    const { platform: kernel } = platform
    const row = await kernel.knex('kernel.credential').where({ id: body.data.id }).first()
    t.notOk(JSON.stringify(row).includes(body.data.key.slice(10)))
    t.ok(createHash('sha256').update(body.data.key).digest().equals(row.hash))
    const used = await createClient(platform.url, 'ada', body.data.key).get(ME)
    t.match(used.body.data, { principalId: 'ada', principalType: 'user', narrowed: false })
    const listed = await ada.get(`${KEYS}?limit=1`)
    t.match(listed.body.data, [{ id: body.data.id, prefix: body.data.prefix }])
    t.notOk(listed.text.includes(body.data.key))
    t.notOk('key' in listed.body.data[0])
  })

  t.test('are narrowed to a subset of what their maker may', async (t) => {
    const reader = await keyOf(platform, ada, { scopes: ['agents:read', 'auth:read'] })
    t.strictSame(reader.scopes, ['agents:read', 'auth:read'])
    t.match(await reader.client.get(KEYS), { status: 200 })
    t.match(await reader.client.post(KEYS, { name: 'more' }), {
      status: 403,
      body: { error: { type: 'permission_error', code: 'scope_missing' } }
    })
    const maker = await keyOf(platform, ada, { scopes: ['agents:read', 'auth:write'] })
    const inherited = await keyOf(platform, maker.client)
    t.strictSame(inherited.scopes, ['agents:read', 'auth:write'], 'nothing is gained by asking for nothing')
    t.match(await maker.client.post(KEYS, { name: 'wider', scopes: ['agents:run'] }), {
      status: 403,
      body: { error: { param: '/scopes' } }
    })
    t.match(await ada.post(KEYS, { name: 'root', scopes: ['platform:admin'] }), { status: 403 })
    t.match(await maker.client.get(KEYS), { status: 403 }, 'auth:write does not read')
  })

  t.test('are refused with the place of what is wrong', async (t) => {
    const wrong: [object, string][] = [
      [{}, '/name'],
      [{ name: 5 }, '/name'],
      [{ name: '' }, '/name'],
      [{ name: '  ' }, '/name'],
      [{ name: 'a', scopes: [] }, '/scopes'],
      [{ name: 'a', scopes: 'agents:read' }, '/scopes'],
      [{ name: 'a', scopes: ['agents:read', 'agents:read'] }, '/scopes'],
      [{ name: 'a', scopes: ['agents:read', 'everything'] }, '/scopes/1'],
      [{ name: 'a', owner: 'eve' }, '/owner']
    ]
    for (const [body, param] of wrong)
      t.match(await ada.post(KEYS, body), {
        status: 400,
        body: { error: { type: 'invalid_request_error', param } }
      })
    t.match(await ada.get(`${KEYS}?limit=0`), { status: 400, body: { error: { param: 'limit' } } })
    t.match(await ada.get(`${KEYS}?cursor=x`), { status: 400, body: { error: { param: 'cursor' } } })
    for (const reply of [anyone.post(KEYS, { name: 'a' }), anyone.get(KEYS), anyone.delete(`${KEYS}/key_1`)])
      t.match(await reply, { status: 401 })
  })

  t.test('are listed a page at a time, newest first, to their principal alone', async (t) => {
    const dora = as('dora')
    const made = []
    for (const name of ['first', 'second', 'third'])
      made.unshift((await keyOf(platform, dora, { name })).name)
    const names: string[] = []
    let cursor: string | null = ''
    do {
      const query: string = cursor ? `&cursor=${cursor}` : ''
      const { body } = await dora.get(`${KEYS}?limit=2${query}`)
      names.push(...body.data.map((key: { name: string }) => key.name))
      cursor = body.nextCursor
    } while (cursor)
    t.strictSame(names, [...made, 'dora'])
    const others = await as('eve').get(KEYS)
    t.strictSame(
      others.body.data.map((key: { name: string }) => key.name),
      ['eve']
    )
  })

  t.test('of an initiator act for him alone', async (t) => {
    const service = as('shop', { type: 'service' })
    const { body } = await service.post(KEYS, { name: 'for fay' }, { 'x-initiator': 'fay' })
    const client = createClient(platform.url, 'shop', body.data.key)
    t.match(await client.get(ME), { body: { data: { principalId: 'shop', initiator: 'fay' } } })
    const path = `${KEYS}/${body.data.id}`
    t.match(await service.delete(path, { 'x-initiator': 'gus' }), { status: 403 })
    t.match(await service.delete(path, { 'x-initiator': 'fay' }), { status: 200 })
  })

  t.test('a repeated request gets the reply without the secret, and no second key', async (t) => {
    const gil = as('gil')
    const headers = { 'idempotency-key': 'one-key-please' }
    const first = await gil.post(KEYS, { name: 'once' }, headers)
    t.match(first, { status: 201, body: { data: { key: /^apk_/ } } })
    const again = await gil.post(KEYS, { name: 'once' }, headers)
    t.equal(again.status, 201)
    t.equal(again.headers.get('idempotency-replayed'), 'true')
    const { key, ...rest } = first.body.data
    t.strictSame(again.body.data, rest)
    t.notOk(again.text.includes(key))
    const { knex } = platform.platform
    const kept = await knex('kernel.idempotency').select(knex.raw('idempotency::text as text'))
    t.ok(kept.length > 0)
    t.notOk(JSON.stringify(kept).includes(key))
    t.match(await gil.post(KEYS, { name: 'twice' }, headers), { status: 409 })
    const { body } = await gil.get(KEYS)
    t.strictSame(
      body.data.map(({ name }: { name: string }) => name),
      ['once', 'gil']
    )
  })
})

t.test('revocation', async (t) => {
  const platform = await boot(t, 'access')
  const { as } = platform
  const ada = as('ada')

  t.test('works at once, and ends what was made with the key', async (t) => {
    const parent = await keyOf(platform, ada)
    const child = await keyOf(platform, parent.client)
    const grandchild = await keyOf(platform, child.client)
    const bystander = await keyOf(platform, ada)
    for (const { client } of [parent, child, grandchild, bystander])
      t.match(await client.get(ME), { status: 200 })
    const reply = await ada.delete(`${KEYS}/${parent.id}`)
    t.equal(reply.status, 200)
    t.strictSame(reply.body, { data: { id: parent.id, deleted: true } })
    for (const { client } of [parent, child, grandchild]) t.match(await client.get(ME), { status: 401 })
    t.match(await bystander.client.get(ME), { status: 200 })
    const { body } = await ada.get(`${KEYS}?limit=100`)
    const revoked = body.data.filter((key: { revokedAt: string | null }) => key.revokedAt !== null)
    t.strictSame(
      revoked.map(({ id }: { id: string }) => id).sort(),
      [parent.id, child.id, grandchild.id].sort()
    )
    t.match(await ada.delete(`${KEYS}/${parent.id}`), { status: 200 }, 'once more changes nothing')
  })

  t.test('a key may end itself', async (t) => {
    const own = await keyOf(platform, ada)
    t.match(await own.client.delete(`${KEYS}/${own.id}`), { status: 200 })
    t.match(await own.client.get(ME), { status: 401 })
  })

  t.test('is heard by other instances', async (t) => {
    const beside = await boot(t, 'access', { beside: platform })
    const key = await keyOf(platform, ada)
    const there = createClient(beside.url, 'ada', key.key)
    t.match(await there.get(ME), { status: 200 })
    const heard = new Promise<void>((resolve) => {
      beside.platform.credentials.onRevoked((ids) => ids.includes(key.id) && resolve())
    })
    await ada.delete(`${KEYS}/${key.id}`)
    await heard
    t.match(await there.get(ME), { status: 401 })
  })

  t.test('another one of someone else is 403, an unknown one 404', async (t) => {
    const key = await keyOf(platform, ada)
    t.match(await as('eve').delete(`${KEYS}/${key.id}`), {
      status: 403,
      body: { error: { type: 'permission_error' } }
    })
    t.match(await as('ada', { project: 'elsewhere' }).delete(`${KEYS}/${key.id}`), { status: 403 })
    t.match(await key.client.get(ME), { status: 200 })
    for (const id of ['key_nope', 'goal_01k4qz0000e0080000000000ab', 'key_01k4qz0000e0080000000000ab'])
      t.match(await ada.delete(`${KEYS}/${id}`), { status: 404, body: { error: { type: 'not_found' } } })
    t.match(await ada.delete(`${KEYS}/${key.id}?force=1`), {
      status: 400,
      body: { error: { param: 'force' } }
    })
  })
})

t.test('making and revoking keys is limited by user and route', async (t) => {
  const { as } = await boot(t, 'access', { env: { SENSITIVE_LIMIT_PER_MINUTE: '20' } })
  const ada = as('ada')
  const statuses: number[] = []
  let limited = await ada.post(KEYS, { name: 'one' })
  for (; limited.status === 201; limited = await ada.post(KEYS, { name: 'more' }))
    statuses.push(limited.status)
  // The window may end in between, never a window be exceeded.
  t.ok(statuses.length >= 20 && statuses.length < 60, `${statuses.length} were allowed`)
  t.match(limited, { status: 429, body: { error: { type: 'rate_limit_error' } } })
  const seconds = Number(limited.headers.get('retry-after'))
  t.ok(seconds >= 1 && seconds <= 60)
  t.match(limited.body.error.message, `Retry-After: ${seconds}`)
  t.match(await ada.get(KEYS), { status: 200 }, 'reading is not sensitive')
  t.match(await ada.delete(`${KEYS}/key_nope`), { status: 404 }, 'another route has its own')
  t.match(await as('bob').post(KEYS, { name: 'his' }), { status: 201 }, 'and so has another user')
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
    body: { data: { principalId: 'ada', principalType: 'user', project: 'acme', narrowed: true } }
  })
  const made = await keyOf(platform, ada)
  t.strictSame(made.scopes, ['auth:write', 'agents:read'])
  t.match(await made.client.get(ME), { body: { data: { principalId: 'ada', project: 'acme' } } })
  t.match(await (await holder({})).get(KEYS), { status: 403 }, 'no scope means none')
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
