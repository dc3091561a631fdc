import type { ServerResponse } from 'node:http'
import t from 'tap'
import { json } from '../../../test/loopback.ts'
import { connected, direct, endsIn, provider, stage } from './testbed.ts'

t.test('tokens are renewed', async (t) => {
  const there = await provider(t)
  const booted = await stage(t, [there.settings()])
  const other = await stage(t, [there.settings()], { beside: booted })
  const ada = booted.as('ada')
  const [here, beside] = [direct(booted), direct(other)]
  const asked = () => there.at('/token').length
  const knex = booted.platform.knex
  const row = (id: string) => knex('connections.connection').where({ id }).first()

  t.test('once, for two hundred callers on two instances', async (t) => {
    const { id } = await connected(ada, there)
    const [first] = await Promise.all([here.open(id), beside.open(id)])
    await endsIn(booted, id, -1)
    await Promise.all([here, beside].map((it) => it.forgotten(id)))
    const before = asked()
    const { promise: isAsked, resolve: told } = Promise.withResolvers<void>()
    const { promise: go, resolve: release } = Promise.withResolvers<void>()
    there.state.answers['/token'] = (reply, it) => {
      there.state.answers = {}
      told()
      // All of them wait by then.
      void go.then(() => there.answer(reply, it))
    }
    const opened = Promise.all(Array.from({ length: 200 }, (_, n) => (n % 2 ? here : beside).open(id)))
    await isAsked
    release()
    const tokens = new Set((await opened).map(({ material }) => material.accessToken))
    t.equal(tokens.size, 1)
    t.notOk(tokens.has(first.material.accessToken))
    t.equal(asked(), before + 1)
    t.ok(there.isValid([...tokens][0] as string))
  })

  t.test('ahead of time, beside their use', async (t) => {
    const { id } = await connected(ada, there)
    const first = await here.open(id)
    await endsIn(booted, id, 90)
    await here.forgotten(id)
    const { promise: isAsked, resolve: told } = Promise.withResolvers<void>()
    there.state.answers['/token'] = (reply, it) => {
      there.state.answers = {}
      there.answer(reply, it)
      told()
    }
    t.equal((await here.open(id)).material.accessToken, first.material.accessToken, 'nobody waits')
    await isAsked
    await until(async () => (await row(id)).generation === 2)
    t.not((await here.open(id)).material.accessToken, first.material.accessToken)
  })

  t.test('when a service refuses them, and not at each refusal', async (t) => {
    const { id } = await connected(ada, there)
    const { material } = await here.open(id)
    const before = asked()
    const renewed = await here.refused(id, material.accessToken)
    t.not(renewed?.material.accessToken, material.accessToken)
    t.equal(
      (await beside.refused(id, material.accessToken))?.material.accessToken,
      renewed?.material.accessToken
    )
    t.equal(asked(), before + 1)
    t.equal(await here.refused(id, renewed?.material.accessToken ?? ''), undefined, 'it refuses any')
    t.equal(asked(), before + 1)
  })

  t.test('unless the provider refuses', async (t) => {
    const { id, path } = await connected(ada, there)
    there.end()
    await endsIn(booted, id, -1)
    await here.forgotten(id)
    await t.rejects(here.open(id), { kind: 'conflict', code: 'connection_expired' })
    t.match((await ada.get(path)).body.data, {
      status: 'expired',
      statusReason: 'Local local does not renew the token (invalid_grant): connect again',
      expiresAt: null
    })
    t.equal((await row(id)).sealed, null, 'what is of no use is not kept')
    const fact = await knex('kernel.fact').where({ subject: id, name: 'connections.expired' }).first()
    t.match(fact.data, { id, status: 'expired' })
    const before = asked()
    await t.rejects(beside.open(id), { code: 'connection_expired' })
    t.equal(asked(), before)
    const { authorizationUrl } = (
      await ada.post('/v1/oauth/connect', { providerKey: 'local', connectionId: id })
    ).body.data
    const { state, code } = there.agree(authorizationUrl)
    await booted.anyone.get(`/v1/oauth/callback/local?${new URLSearchParams({ state, code })}`)
    t.match(await here.open(id), { row: { status: 'active' } }, 'until it is connected again')
  })

  for (const [words, status, said] of [
    ['what Microsoft says when a policy wants a second factor', 400, { error: 'interaction_required' }],
    ['what Microsoft says without consent', 400, { error: 'consent_required' }],
    ['what Google says of a token of another client', 401, { error: 'unauthorized_client' }],
    ['a token that is invalid', 401, { error: 'invalid_token' }],
    ['what Meta says', 400, { error: { type: 'OAuthException', code: 190, error_subcode: 463 } }],
    ['an error as an object', 400, { error: { code: 'token_revoked' } }],
    ['an error with status 200', 200, { error: 'bad_refresh_token' }]
  ] as const)
    t.test(`and after ${words}`, async (t) => {
      const { id, path } = await connected(ada, there)
      there.state.answers['/token'] = (reply) => json(reply, status, said)
      t.match(await ada.post(`${path}/refresh`), {
        status: 409,
        body: { error: { code: 'connection_expired' } }
      })
      there.state.answers = {}
      t.match((await ada.get(path)).body.data, {
        status: 'expired',
        statusReason: /^Local local does not renew the token \(\w+\): connect again$/,
        expiresAt: null
      })
      t.match(await knex('kernel.fact').where({ subject: id, name: 'connections.expired' }).first(), {
        data: { id, status: 'expired' }
      })
    })

  for (const [words, answer] of [
    ['words that are not known', (reply) => json(reply, 400, { error: 'no_luck_today' })],
    ['a page', (reply) => reply.writeHead(400, { 'content-type': 'text/html' }).end('<html>no</html>')],
    ['nothing', (reply) => reply.writeHead(401).end()]
  ] as [string, (reply: ServerResponse) => unknown][])
    t.test(`and after three rejections in a row with ${words}`, async (t) => {
      const { id, path } = await connected(ada, there)
      const again = async () => {
        await knex('connections.connection').where({ id }).update({ retryAt: null })
        return ada.post(`${path}/refresh`)
      }
      const rejected = { status: 502, body: { error: { code: 'provider_refused' } } }
      there.state.answers['/token'] = answer
      t.match(await again(), rejected)
      t.match(await again(), rejected)
      t.match((await ada.get(path)).body.data, { status: 'active', statusReason: null })
      there.state.answers = {}
      t.match(await again(), { status: 200 }, 'a renewal in between begins the count again')
      there.state.answers['/token'] = answer
      t.match(await again(), rejected)
      there.state.answers['/token'] = (reply) => json(reply, 503, {})
      for (let times = 0; times < 3; times++)
        t.match(await again(), { body: { error: { code: 'provider_away' } } })
      there.state.answers['/token'] = (reply) => json(reply, 400, { error: 'temporarily_unavailable' })
      for (let times = 0; times < 3; times++)
        t.match(await again(), { body: { error: { code: 'provider_away' } } })
      there.state.answers['/token'] = answer
      t.match(await again(), rejected)
      t.match(await again(), { status: 409, body: { error: { code: 'connection_expired' } } })
      there.state.answers = {}
      t.match((await ada.get(path)).body.data, { status: 'expired', statusReason: /connect again$/ })
    })

  t.test('keeps lifetime and scopes if a renewal names neither', async (t) => {
    const { id, path } = await connected(ada, there)
    const { scopes } = (await ada.get(path)).body.data
    there.state.answers['/token'] = (reply) =>
      json(reply, 200, { access_token: 'at-next', token_type: 'bearer', scope: '' })
    t.match(await ada.post(`${path}/refresh`), { status: 200 })
    there.state.answers = {}
    t.match((await ada.get(path)).body.data, { scopes, expiresAt: String })
    t.match(await here.open(id), { material: { refreshToken: /^rt-/ } }, 'and its refresh token')
  })

  t.test('a token without an end that is refused was taken back', async (t) => {
    there.state.hasRefresh = false
    there.state.expiresIn = undefined
    const { id, path } = await connected(ada, there)
    there.state.hasRefresh = true
    there.state.expiresIn = 3_600
    const { material } = await here.open(id)
    await t.rejects(here.refused(id, material.accessToken), { code: 'connection_revoked' })
    t.match((await ada.get(path)).body.data, { status: 'revoked', statusReason: /connect again/ })
    t.match(await knex('kernel.fact').where({ subject: id, name: 'connections.revoked' }).first(), {
      name: String
    })
  })

  t.test('a provider that wants to be left alone is', async (t) => {
    const { id, path } = await connected(ada, there)
    await endsIn(booted, id, -1)
    await Promise.all([here, beside].map((it) => it.forgotten(id)))
    there.state.answers['/token'] = (reply) => json(reply.setHeader('retry-after', '120'), 429, {})
    const before = asked()
    await t.rejects(here.open(id), { kind: 'upstream', code: 'provider_rate_limited' })
    await t.rejects(beside.open(id), { code: 'provider_paused', headers: { 'retry-after': /^1[12]\d$/ } })
    t.match(await ada.post(`${path}/refresh`), { status: 503, body: { error: { code: 'provider_paused' } } })
    t.equal(asked(), before + 1)
    there.state.answers['/token'] = async (reply) => {
      await knex('connections.connection').where({ id }).update({ refreshingBy: 9_999 })
      json(reply.setHeader('retry-after', '120'), 429, {})
    }
    await knex('connections.connection').where({ id }).update({ retryAt: null })
    await t.rejects(here.open(id), { code: 'provider_rate_limited' })
    t.match(
      await row(id),
      { refreshingBy: 9_999, refreshingUntil: /./, retryAt: null },
      'the lease is of another'
    )
    const free = { refreshingBy: null, refreshingUntil: null, retryAt: new Date(Date.now() + 120_000) }
    await knex('connections.connection').where({ id }).update(free)
    there.state.answers = {}
    await knex('connections.connection').where({ id }).update({ retryAt: null })
    t.match(await here.open(id), { row: { status: 'active' } }, 'and nothing is lost')
  })

  t.test('a platform that is not its client any more expires nothing', async (t) => {
    const { id } = await connected(ada, there)
    await endsIn(booted, id, -1)
    await here.forgotten(id)
    there.state.answers['/token'] = (reply) => json(reply, 401, { error: 'invalid_client' })
    await t.rejects(here.open(id), { kind: 'upstream', code: 'client_refused' })
    for (let times = 0; times < 3; times++) {
      await knex('connections.connection').where({ id }).update({ retryAt: null })
      await t.rejects(here.open(id), { code: 'client_refused' })
    }
    t.equal((await row(id)).status, 'active')
    there.state.answers = {}
  })

  t.test('one that was cut off in the middle is tried again, and says so where that fails', async (t) => {
    const instance = 1_000_000
    const cut = { refreshingUntil: new Date(Date.now() + 20_000), refreshingBy: instance }
    const { id } = await connected(ada, there)
    await endsIn(booted, id, -1)
    await knex('connections.connection')
      .where({ id })
      .update({ ...cut, refreshingUntil: new Date(Date.now() - 1) })
    await here.forgotten(id)
    t.match(
      await here.open(id),
      { row: { status: 'active' } },
      'a provider that allows for it gives it again'
    )
    const { id: lost, path } = await connected(ada, there)
    there.end()
    await endsIn(booted, lost, -1)
    await knex('connections.connection')
      .where({ id: lost })
      .update({ ...cut, refreshingUntil: new Date(Date.now() - 1) })
    await here.forgotten(lost)
    await t.rejects(here.open(lost), { code: 'connection_expired' })
    t.match((await ada.get(path)).body.data.statusReason, /stopped while it renewed the token.*connect again/)
  })

  t.test('one that is taken back in the middle is not given again', async (t) => {
    const { id, path } = await connected(ada, there)
    const { promise: isAsked, resolve: told } = Promise.withResolvers<void>()
    const { promise: go, resolve: release } = Promise.withResolvers<void>()
    there.state.answers['/token'] = (reply, it) => {
      there.state.answers = {}
      told()
      void go.then(() => there.answer(reply, it))
    }
    const renewing = ada.post(`${path}/refresh`)
    await isAsked
    t.match(await ada.delete(path), { status: 200 })
    const revoked = there.at('/revoke').length
    release()
    t.match((await renewing).status, 404)
    t.equal(there.at('/revoke').length, revoked + 1, 'what came is taken back, too')
    t.equal(await row(id), undefined)
  })
})

async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 15_000
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('it never came')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
