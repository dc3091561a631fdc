import t from 'tap'
import {
  actionOf,
  BEGIN,
  browserOf,
  clientOf,
  identityOf,
  inConsole,
  personOf,
  signedIn,
  tokensOf
} from './testbed.ts'

const UNKNOWN = '/v1/passkeys/passkey_01k4qz0000e0080000000000ab'

t.test('passkeys of a person', async (t) => {
  const identity = await identityOf(t, { host: 'localhost' }, 'console')
  const { knex } = identity.platform
  await personOf(identity, 'ada@example.com')
  await personOf(identity, 'eve@example.com')
  const ada = await inConsole(identity, 'ada@example.com')
  const eve = await inConsole(identity, 'eve@example.com')
  const row = (id: string, owner: string, name: string) => ({
    project: 'default',
    id,
    owner,
    credentialId: id,
    publicKey: Buffer.from('x'),
    counter: 0,
    transports: [],
    isSynced: true,
    name
  })
  const id = 'passkey_01k4qz0000e0080000000000aa'
  await knex('identity.passkey').insert([
    row(id, ada.who.id, 'Laptop'),
    row('passkey_01k4qz0000e0080000000000ac', ada.who.id, 'Telephone'),
    row('passkey_01k4qz0000e0080000000000ad', eve.who.id, 'Hers')
  ])

  t.test('are listed, renamed and removed by the person alone, in a browser', async (t) => {
    const path = `/v1/passkeys/${id}`
    t.match(await ada.ask('/v1/passkeys?limit=1'), {
      status: 200,
      body: { data: [{ name: 'Telephone', isSynced: true, lastUsedAt: null }], nextCursor: /./ }
    })
    t.notMatch(JSON.stringify(await ada.ask('/v1/passkeys')), /publicKey|Hers/)
    t.match(await ada.ask(path, 'PUT', { name: 'Old laptop' }), {
      status: 200,
      body: { data: { name: 'Old laptop' } }
    })
    t.match(await ada.ask(path, 'PUT', { name: '' }), { status: 400, body: { error: { param: '/name' } } })
    for (const [method, body] of [['PUT', { name: 'Mine' }], ['DELETE']] as const) {
      t.match(await eve.ask(path, method, body), { status: 403, body: { error: { code: 'not_owner' } } })
      t.match(await ada.ask(UNKNOWN, method, body), { status: 404 })
    }
    t.match(await ada.ask(path, 'DELETE'), { status: 200, body: { data: { id, deleted: true } } })
    t.match(await ada.ask(path, 'DELETE'), { status: 404 })
    const names = await knex('kernel.fact').where('name', 'like', 'identity.passkey%').pluck('name')
    t.same(names.sort(), ['identity.passkey_removed', 'identity.passkey_renamed'])
  })

  t.test('are added by nobody who has only a token, or a key', async (t) => {
    const token = clientOf(identity, await tokensOf(identity, 'ada@example.com'))
    const key = await token.post(`/v1/projects/${ada.who.project}/keys`, { name: 'laptop' })
    t.match(await token.get('/v1/people/me'), { status: 200, body: { data: { email: 'ada@example.com' } } })
    t.match(await identity.as('bob').get('/v1/people/me'), { status: 403 })
    for (const client of [token, identity.as('bob')])
      for (const reply of [
        await client.post('/v1/passkeys/challenges'),
        await client.post('/v1/passkeys', { name: 'a', response: {} }),
        await client.get('/v1/passkeys'),
        await client.delete(UNKNOWN)
      ])
        t.match(reply, {
          status: 403,
          body: { error: { code: client === token ? 'browser_required' : 'person_required' } }
        })
    t.equal(key.status, 201)
    t.match(await identity.anyone.get('/v1/passkeys'), { status: 401 })
  })

  t.test('answer a challenge of their own, once', async (t) => {
    const challenges = () => knex('identity.artifact').where({ model: 'Challenge' }).pluck('id')
    const before = await challenges()
    const { body, status } = await ada.ask('/v1/passkeys/challenges', 'POST')
    t.equal(status, 201)
    t.match(body.data.publicKey, {
      rp: { id: 'localhost' },
      user: { name: 'ada@example.com' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{}]
    })
    const { challenge } = body.data.publicKey
    t.notOk(JSON.stringify(await knex('identity.artifact')).includes(challenge))
    const response = { id: 'x', rawId: 'x', type: 'public-key', response: {}, clientExtensionResults: {} }
    for (const [sent, param] of [
      [{ name: 'a', response }, '/response'],
      [{ name: 'a', response: {} }, '/response'],
      [{ name: 'a' }, '/response'],
      [{ response }, '/name']
    ] as const)
      t.match(await ada.ask('/v1/passkeys', 'POST', sent), { status: 400, body: { error: { param } } })
    t.same((await challenges()).sort(), before.sort(), 'and are used up by what is wrong, too')
  })

  t.test('nobody signs in with what is none', async (t) => {
    for (const response of [
      '',
      'null',
      '[]',
      '{}',
      '{"id":"passkey_01k4qz0000e0080000000000ac"}',
      '{"id":1,"response":1}'
    ]) {
      const { go, jar } = browserOf(identity)
      const { page } = await go(BEGIN)
      t.match(page, /"rpId":|&quot;rpId&quot;:&quot;localhost&quot;/)
      const done = await go(actionOf(page).replace('sign-in', 'passkey'), { response })
      t.match(done, { status: 401, page: /That passkey is not known here/ }, response)
      t.notOk(jar.has('agent-platform'))
    }
  })
})

t.test('an address is no place for passkeys', async (t) => {
  const identity = await identityOf(t, {}, 'console')
  await signedIn(identity, 'ada@example.com')
  const { ask, go, jar } = await inConsole(identity, 'ada@example.com')
  t.match(await ask('/v1/passkeys/challenges', 'POST'), {
    status: 503,
    body: { error: { code: 'passkeys_unavailable' } }
  })
  t.match(await ask('/v1/passkeys'), { status: 200, body: { data: [] } })
  jar.clear()
  const { page, headers } = await go(BEGIN)
  t.notMatch(page, /passkey/)
  t.notMatch(headers.get('content-security-policy'), /script-src/)
})
