// budget: 5 s, because people sign in with passwords that are hashed slowly
import t from 'tap'
import {
  actionOf,
  BACK,
  BEGIN,
  browserOf,
  clientOf,
  identityOf,
  inConsole,
  PASSWORD,
  personOf,
  refresh,
  runJob,
  tokensOf
} from './testbed.ts'

const NEW = 'another long sentence'
const NOBODY = 'person_01k4qz0000e0080000000000ab'

t.test('an operator makes a link by which a person sets a new password', async (t) => {
  const env = { IDENTITY_SIGN_INS_PER_MINUTE: '30', SENSITIVE_LIMIT_PER_MINUTE: '100' }
  const identity = await identityOf(t, { env }, 'console', 'observability')
  const { admin, as, anyone } = identity
  const { knex } = identity.platform
  await personOf(identity, 'op@example.com', { isOperator: true })
  await personOf(identity, 'ada@example.com')
  const [{ id }] = await knex('identity.person').where({ email: 'ada@example.com' })
  const path = `/v1/people/${id}/password-reset`
  const make = async () => (await admin.post(path)).body.data as { id: string; url: string }
  const statusOf = async (url: string) => (await fetch(url)).status
  const set = async (url: string, password = NEW) => {
    const { go } = browserOf(identity)
    const shown = await go(url)
    return shown.status === 200 ? go(actionOf(shown.page), { password }) : shown
  }
  const signIn = async (password: string) => {
    const { go } = browserOf(identity)
    const { page } = await go(BEGIN)
    return (await go(actionOf(page), { email: 'ada@example.com', password }, BACK)).status
  }

  t.test('who is none gets none', async (t) => {
    const own = clientOf(identity, await tokensOf(identity, 'ada@example.com'))
    for (const client of [as('bob'), own]) {
      t.match(await client.post(path), { status: 403 })
      t.match(await client.delete(path), { status: 403 })
    }
    t.match(await anyone.post(path), { status: 401 })
    for (const nobody of [NOBODY, 'person_nope', id.replace('person', 'agent')]) {
      t.match(await admin.post(`/v1/people/${nobody}/password-reset`), { status: 404 })
      t.match(await admin.delete(`/v1/people/${nobody}/password-reset`), { status: 404 })
    }
    t.match(await admin.post(path, { email: 'eve@example.com' }), { status: 400 })
    t.match(await admin.post(`${path}?minutes=9`), { status: 400, body: { error: { param: 'minutes' } } })
    t.match(await admin.delete(path), { status: 404 }, 'there is none yet')
    t.same(await knex('identity.password_reset'), [])
  })

  t.test('it sets the password once, and signs the person out everywhere', async (t) => {
    const browser = await inConsole(identity, 'ada@example.com')
    const tokens = await tokensOf(identity, 'ada@example.com')
    const reply = await admin.post(path)
    t.match(reply, {
      status: 201,
      body: { data: { personId: id, expiresAt: /^2/, url: /\/identity\/resets\/reset_\w{26}\.[\w-]{43}$/ } }
    })
    t.equal(reply.headers.get('cache-control'), 'no-store')
    const { url } = reply.body.data
    const page = await fetch(url)
    const shown = await page.text()
    t.equal(page.headers.get('cache-control'), 'no-store')
    t.equal(page.headers.get('referrer-policy'), 'same-origin')
    t.match(shown, /ada@example\.com/)
    t.match(await browser.ask('/v1/auth/me'), { status: 200 }, 'nothing ends before it is used')
    for (const wrong of ['short', 'ADA@example.com', 'x'.repeat(201)])
      t.match(await set(url, wrong), { status: 400, page: /role="alert"/ }, 'and stays good')
    const cross = await fetch(url, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example.com' },
      body: new URLSearchParams({ password: NEW })
    })
    t.equal(cross.status, 403)
    const both = await Promise.all([set(url), set(url, PASSWORD.repeat(2))])
    t.same(both.map(({ status }) => status).sort(), [200, 404], 'of two at once one alone')
    const [first] = both
    t.match(await browser.ask('/v1/auth/me'), { status: 401 })
    t.match(await refresh(identity, tokens.refresh_token), { status: 400, body: { error: 'invalid_grant' } })
    t.match((await browser.go(BEGIN)).page, /name="password"/, 'nor is the browser known')
    t.equal(await signIn(PASSWORD), 401, 'the password before is none')
    t.equal(await signIn(first?.status === 200 ? NEW : PASSWORD.repeat(2)), 303)
    t.equal(await statusOf(url), 404)
    t.equal((await set(url)).status, 404)
  })

  t.test('the link before is dead, and so is one that was taken back, has expired or is wrong', async (t) => {
    const before = await make()
    const { url } = await make()
    t.equal(await statusOf(before.url), 404, 'replaced')
    t.equal(await statusOf(url), 200)
    for (const wrong of [`${url.slice(0, -1)}${url.endsWith('A') ? 'B' : 'A'}`, `${url}A`, url.slice(0, -9)])
      t.equal(await statusOf(wrong), 404)
    t.equal(await statusOf(url.replace('/resets/reset_', '/resets/invitation_')), 404)
    t.equal(await statusOf(url.replace('/resets/reset_', '/invitations/reset_')), 404)

    t.match(await admin.delete(path), { status: 200, body: { data: { deleted: true } } })
    t.match(await admin.delete(path), { status: 404 })
    t.equal(await statusOf(url), 404)

    const late = await make()
    await knex('identity.password_reset').update({ expiresAt: knex.raw(`now() - interval '1 second'`) })
    t.equal(await statusOf(late.url), 404)
    t.equal((await set(late.url)).status, 404)
    t.match(await admin.delete(path), { status: 404 }, 'expired')
    await make()
    await knex('identity.password_reset').update({ expiresAt: knex.raw(`now() - interval '1 second'`) })
    await runJob(identity, 'identity.forget')
    t.same(await knex('identity.password_reset'), [])
  })

  t.test('it lets in nobody who is disabled or has no address', async (t) => {
    const { url } = await make()
    await admin.post(`/v1/people/${id}/disable`)
    t.equal(await statusOf(url), 404)
    t.match(await admin.post(path), { status: 409, body: { error: { code: 'person_disabled' } } })
    await admin.post(`/v1/people/${id}/enable`)
    t.equal(await statusOf(url), 404, 'nor does it come back')

    await personOf(identity, 'old@example.com')
    const [old] = await knex('identity.person').where({ email: 'old@example.com' })
    const reset = `/v1/people/${old.id}/password-reset`
    await admin.post(`/v1/people/${old.id}/disable`)
    await admin.post(`/v1/people/${old.id}/release-address`)
    await admin.post(`/v1/people/${old.id}/enable`)
    t.match(await admin.post(reset), { status: 409, body: { error: { code: 'released' } } })
  })

  t.test('an operator in a browser has proved lately who it is; its own change kills the link', async (t) => {
    const op = await inConsole(identity, 'op@example.com')
    t.match(await op.ask(path, 'POST'), { status: 201 })
    await knex('identity.session')
      .where({ owner: op.who.id })
      .update({ authenticatedAt: knex.raw("now() - interval '11 minutes'") })
    const needed = { status: 403, body: { error: { code: 'confirmation_required' } } }
    t.match(await op.ask(path, 'POST'), needed)
    const invite = (order: object) =>
      op.ask('/v1/people/invitations', 'POST', { email: 'new@example.com', ...order })
    const lasting = [{ isOperator: true }, { projectId: 'default' }]
    for (const order of lasting) t.match(await invite(order), needed, 'so has one that lets in others')
    t.match(await invite({}), { status: 201 }, 'but for a person with a project of its own')
    t.match(await admin.post('/v1/people/invitations', { email: 'by@example.com', isOperator: true }), {
      status: 201
    })
    t.match(await op.ask('/v1/people/me/confirm', 'POST', { password: PASSWORD }), { status: 200 })
    t.match(await op.ask(path, 'POST'), { status: 201 })
    for (const order of lasting) t.match(await invite(order), { status: 201 })

    const own = await admin.post(`/v1/people/${op.who.id}/password-reset`)
    t.match(await op.ask('/v1/people/me/password', 'PUT', { password: NEW }), { status: 200 })
    t.equal(await statusOf(own.body.data.url), 404)
  })

  t.test('what happened is told and audited, without secrets; a repeated reply has no link', async (t) => {
    const headers = { 'idempotency-key': 'once' }
    const first = await admin.post(path, undefined, headers)
    const again = await admin.post(path, undefined, headers)
    t.equal(again.headers.get('idempotency-replayed'), 'true')
    const { url, ...rest } = first.body.data
    t.same(again.body.data, rest)
    const facts = await knex('kernel.fact').where('name', 'like', 'identity.password%')
    t.same([...new Set(facts.map(({ name }: { name: string }) => name))].sort(), [
      'identity.password_changed',
      'identity.password_reset_created',
      'identity.password_reset_withdrawn'
    ])
    t.match(
      facts.find(({ name }: { name: string }) => name === 'identity.password_changed'),
      { subject: id, data: { id, byReset: true } }
    )
    const kept = JSON.stringify([
      facts,
      await knex('kernel.idempotency').select(knex.raw('idempotency::text as text'))
    ])
    t.notMatch(kept, /reset_\w{26}\.|argon2|another long/)
    t.notOk(kept.includes(url.split('.').at(-1)))
  })

  t.test('guessing is limited by address', async (t) => {
    const { url } = await make()
    const tried: number[] = []
    while (tried.at(-1) !== 429 && tried.length < 70) tried.push((await set(url, 'short')).status)
    t.equal(tried.at(-1), 429)
  })
})
