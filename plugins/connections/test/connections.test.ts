import t from 'tap'
import { json } from '../../../test/loopback.ts'
import { connected, direct, provider, stage } from './testbed.ts'

t.test('connections of people', async (t) => {
  const there = await provider(t)
  const quiet = await provider(t)
  const booted = await stage(t, [
    there.settings(),
    quiet.settings('quiet', { account: undefined, revocation: undefined })
  ])
  const { as, anyone, platform } = booted
  const [ada, eve] = [as('ada'), as('eve')]
  const facts = async (id: string): Promise<string[]> =>
    (await platform.knex('kernel.fact').where({ subject: id }).orderBy('id')).map(({ name }) => name)
  const someoneElses = { status: 403, body: { error: { type: 'permission_error', code: 'not_owner' } } }
  const unknown = { status: 404, body: { error: { type: 'not_found' } } }

  t.test('are listed and renamed by their owner', async (t) => {
    const { id, path } = await connected(ada, there, { name: 'First' })
    const second = await connected(ada, quiet, { key: 'quiet' })
    const { body } = await ada.get('/v1/oauth/connections?limit=1')
    t.match(body.data, [{ id: second.id, name: 'Local quiet', account: null }])
    t.match((await ada.get(`/v1/oauth/connections?limit=1&cursor=${body.nextCursor}`)).body.data, [{ id }])
    t.match((await ada.get('/v1/oauth/connections?providerKey=quiet&status=active')).body.data.length, 1)
    t.match((await ada.get('/v1/oauth/connections?status=expired')).body.data, [])
    t.match(await ada.get('/v1/oauth/connections?status=lost'), { status: 400 })
    t.match((await eve.get('/v1/oauth/connections')).body.data, [])

    const { body: read, headers } = await ada.get(path)
    t.equal(headers.get('etag'), '"1"')
    t.match(await ada.put(path, { ...read.data, name: 'Mail' }), {
      body: { data: { name: 'Mail', version: 2 } }
    })
    t.match(await ada.put(path, { name: 'Again' }, { 'if-match': '"1"' }), { status: 412 })
    t.match(await ada.put(path, { name: ' ' }), { status: 400, body: { error: { param: '/name' } } })
    t.match(await ada.put(path, { status: 'active', secret: 1 }), {
      status: 400,
      body: { error: { param: '/secret' } }
    })
    t.same(await facts(id), ['connections.connected', 'connections.updated'])
    t.match(await direct(booted).open(id), { row: { id } }, 'and can be used as before')
  })

  t.test('are nobody else’s', async (t) => {
    const { path } = await connected(ada, there)
    const missing = '/v1/oauth/connections/connection_01k4qz0000e0080000000000ab'
    for (const [at, reply] of [
      [path, someoneElses],
      [missing, unknown]
    ] as const) {
      t.match(await eve.get(at), reply)
      t.match(await eve.put(at, { name: 'Mine' }), reply)
      t.match(await eve.post(`${at}/refresh`), reply)
      t.match(await eve.get(`${at}/test`), reply)
      t.match(await eve.delete(at), reply)
    }
    t.match(await anyone.get(path), { status: 401 })
    t.match(await as('bot', { type: 'agent', owner: 'ada' }).get(path), { status: 403 })
    t.match(await as('ada', { project: 'another' }).get(path), { status: 403 })
  })

  t.test('are tried at their provider', async (t) => {
    const { id, path } = await connected(ada, there)
    const asked = there.at('/me').length
    t.match((await ada.get(`${path}/test`)).body.data, {
      ok: true,
      status: 'active',
      account: 'ada@example.com'
    })
    t.equal(there.at('/me').length, asked + 1, 'it was asked')
    there.expire()
    const renewals = there.at('/token').length
    t.match(
      (await ada.get(`${path}/test`)).body.data,
      { ok: true, status: 'active' },
      'renewed, and tried again'
    )
    t.equal(there.at('/token').length, renewals + 1)
    there.end()
    t.match((await ada.get(`${path}/test`)).body.data, {
      ok: false,
      status: 'expired',
      statusReason: /connect again/
    })
    t.match(await ada.get(`${path}/test`), { status: 409, body: { error: { code: 'connection_expired' } } })
    t.match(await ada.post(`${path}/refresh`), { status: 409 })
    t.match(await facts(id), ['connections.connected', 'connections.refreshed', 'connections.expired'])
    const silent = await connected(ada, quiet, { key: 'quiet' })
    t.match(await ada.get(`${silent.path}/test`), { status: 409, body: { error: { code: 'not_testable' } } })
    const other = await connected(ada, there)
    there.state.answers['/me'] = (reply) => json(reply, 503, {})
    t.match(await ada.get(`${other.path}/test`), { status: 502, body: { error: { code: 'provider_away' } } })
    there.state.answers = {}
    t.match(
      (await ada.get(other.path)).body.data,
      { status: 'active' },
      'which says nothing of the connection'
    )
  })

  t.test('are renewed when they are told to', async (t) => {
    const { id, path } = await connected(ada, there)
    const before = await direct(booted).open(id)
    t.match((await ada.post(`${path}/refresh`)).body.data, { status: 'active', version: 1 })
    const after = await direct(booted).open(id)
    t.not(after.material.accessToken, before.material.accessToken)
    there.state.hasRefresh = false
    const endless = await connected(ada, there)
    there.state.hasRefresh = true
    t.match(await ada.post(`${endless.path}/refresh`), {
      status: 409,
      body: { error: { code: 'not_renewable' } }
    })
    t.match((await ada.get(endless.path)).body.data, { status: 'active' })
  })

  t.test('are taken back, and forgotten', async (t) => {
    const { id, path } = await connected(ada, there)
    const { material } = await direct(booted).open(id)
    t.match(await ada.delete(path, { 'if-match': '"7"' }), { status: 412 })
    t.match(await ada.delete(path), { status: 200, body: { data: { id, deleted: true } } })
    t.match(there.at('/revoke').at(-1)?.body, new RegExp(`token=${material.refreshToken}`))
    t.match(await ada.get(path), { status: 404 })
    await t.rejects(direct(booted).open(id), { message: 'Connection not found' })
    t.same(await platform.knex('connections.connection').where({ id }), [])
    t.same(await facts(id), ['connections.connected', 'connections.revoked', 'connections.deleted'])

    const { id: silent, path: at } = await connected(ada, quiet, { key: 'quiet' })
    t.match(await ada.delete(at), { status: 200 }, 'also where the provider has no way')
    const [fact] = await platform.knex('kernel.fact').where({ subject: silent, name: 'connections.deleted' })
    t.match(fact.data, { isRevoked: false })
  })

  t.test('are taken back here while the provider is away', async (t) => {
    const { id, path } = await connected(ada, there)
    there.state.answers['/revoke'] = (reply) => json(reply, 503, {})
    t.match(await ada.delete(path), { status: 502, body: { error: { code: 'provider_away' } } })
    t.match((await ada.get(path)).body.data, { status: 'revoked', statusReason: /could not be told yet/ })
    await t.rejects(direct(booted).open(id), { code: 'connection_revoked' }, 'from the first moment')
    t.match(await ada.post('/v1/oauth/connect', { providerKey: 'local', connectionId: id }), { status: 409 })
    type Deps = { removal: { finishLeft(): Promise<void> } }
    const deps = platform.server.current().packs.get('connections')?.deps as unknown as Deps
    const { removal } = deps
    const old = { removingSince: new Date(Date.now() - 120_000) }
    await platform.knex('connections.connection').where({ id }).update(old)
    await removal.finishLeft()
    t.match((await ada.get(path)).status, 200, 'not yet')
    there.state.answers = {}
    await removal.finishLeft()
    t.match((await ada.get(path)).status, 404, 'the platform goes on trying')
    const forced = await connected(ada, there)
    there.state.answers['/revoke'] = (reply) => json(reply, 503, {})
    t.match(await ada.delete(`${forced.path}?force=true`), { status: 200 })
    t.match((await ada.get(forced.path)).status, 404)
    there.state.answers = {}
  })
})
