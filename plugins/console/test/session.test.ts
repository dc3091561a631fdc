import t from 'tap'
import { browserOf, changesOf, codeOf, consoleOf, signIn } from './testbed.ts'

const booted = await consoleOf(t)
const { as, anyone, admin, platform } = booted

t.test('a browser signs in with a key, and is who the key is, for every route', async (t) => {
  const ada = as('ada')
  const reply = await ada.post('/console/session', {})
  t.equal(reply.status, 201)
  t.equal(reply.headers.get('cache-control'), 'no-store')
  const [cookie = '', ...attributes] = (reply.headers.get('set-cookie') ?? '').split('; ')
  t.match(cookie, /^agent-platform=apt_\w+$/)
  t.same(attributes.slice(1), ['Path=/', 'HttpOnly', 'SameSite=Strict'])
  const seconds = Number(attributes[0]?.split('=')[1])
  t.ok(seconds > 43_100 && seconds <= 43_200, 'twelve hours')
  t.notMatch(reply.text, cookie.slice(-20), 'and nowhere else')

  const { id } = await ada.agent({ name: 'Countess' })
  const browser = browserOf(reply)
  t.match(await anyone.get('/v1/agents', browser), { status: 200, body: { data: [{ id }] } })
  t.match(await anyone.get('/v1/goals', browser), { status: 200 }, 'ownership decides, as with the key')
  t.match(await anyone.get('/console/session', browser), {
    body: { data: { principal: { id: 'ada', type: 'user', project: 'default' }, version: '0.0.0-test' } }
  })
  const { packs } = (await anyone.get('/console/session', browser)).body.data
  t.match(packs, [{ name: 'access', area: 'Platform', summary: String }])
  t.same((await anyone.get('/console/session')).body.data, {
    principal: null,
    packs: [],
    signInMethods: [],
    version: '0.0.0-test',
    production: false
  })
})

t.test('it may what its key may, and no more', async (t) => {
  const operator = await signIn(admin)
  t.equal((await anyone.get('/v1/packs', operator)).status, 200)
  t.equal((await anyone.get('/v1/packs', await signIn(as('ada')))).status, 403)
  const reader = await signIn(as('bea', { scopes: ['agents:read'] }))
  t.equal((await anyone.get('/v1/agents', reader)).status, 200)
  t.match(await anyone.get('/v1/goals', reader), { status: 403, body: { error: { code: 'scope_missing' } } })
  t.equal((await anyone.post('/console/links', undefined, reader)).status, 403, 'nor hands itself on')
  const { id } = await as('ada').agent()
  t.match(await as(id, { type: 'agent', owner: 'ada' }).post('/console/session', {}), {
    status: 403,
    body: { error: { code: 'agent_principal' } }
  })
  t.match(await anyone.post('/console/session', {}), { status: 401 })
  const { body } = await anyone.post('/console/session', {}, { authorization: 'Bearer nonsense' })
  t.equal(body.error.type, 'authentication_error')
})

t.test('signing out ends it, everywhere at once', async (t) => {
  const ada = await signIn(as('ada'))
  const stream = await changesOf(booted, ada)
  t.ok((await stream.next())?.includes('console'))
  const out = await anyone.delete('/console/session', ada)
  t.equal(out.status, 200)
  t.match(out.headers.get('set-cookie'), /^agent-platform=; Max-Age=0; Path=\/; HttpOnly; SameSite=Strict$/)
  t.equal(await stream.next(), undefined, 'open streams too')
  t.equal((await anyone.get('/v1/agents', ada)).status, 401)
  t.match(await anyone.get('/console/session', ada), { status: 200, body: { data: { principal: null } } })
  t.equal((await anyone.delete('/console/session', ada)).status, 200, 'also when it is over already')
  const bearer = as('ada')
  await bearer.delete('/console/session')
  t.equal((await bearer.get('/v1/agents')).status, 200, 'a key is no session')
})

t.test('signing in again ends the session before', async (t) => {
  const first = await signIn(as('ada'))
  const code = await codeOf(as('bob'))
  const reply = await anyone.post('/console/session', { code }, first)
  t.match(reply, { status: 201, body: { data: { principal: { id: 'bob' } } } })
  t.equal((await anyone.get('/v1/agents', first)).status, 401)
  t.equal((await anyone.get('/v1/agents', browserOf(reply))).status, 200)
  t.equal(
    (await anyone.post('/console/session', {}, browserOf(reply))).status,
    401,
    'a session makes no other'
  )
})

t.test('it ends with the key it was made with', async (t) => {
  const { body } = await as('ada').post('/v1/auth/api-keys', { name: 'laptop' })
  const key = { authorization: `Bearer ${body.data.key}` }
  const browser = browserOf(await anyone.post('/console/session', {}, key))
  const code = (await anyone.post('/console/links', undefined, key)).body.data.url.split('#code=')[1]
  const stream = await changesOf(booted, browser)
  await stream.next()
  await as('ada').delete(`/v1/auth/api-keys/${body.data.id}`)
  t.equal(await stream.next(), undefined)
  t.equal((await anyone.get('/v1/agents', browser)).status, 401)
  t.match(await anyone.post('/console/session', { code }), {
    status: 401,
    body: { error: { code: 'link_invalid' } }
  })
})

t.test('a link signs in once', async (t) => {
  const ada = as('ada')
  const { status, body } = await ada.post('/console/links')
  t.equal(status, 201)
  t.match(body.data.url, /^http:\/\/127\.0\.0\.1:0\/console\/sign-in#code=link_[0-9a-z]{26}\.[\w-]{43}$/)
  const minutes = (Date.parse(body.data.expiresAt) - Date.now()) / 60_000
  t.ok(minutes > 9 && minutes <= 10)
  const code = body.data.url.split('#code=')[1]
  const stored = JSON.stringify(await platform.knex('console.link'))
  t.notMatch(stored, code.split('.')[1])

  const all = await Promise.all(Array.from({ length: 4 }, () => anyone.post('/console/session', { code })))
  t.same(all.map(({ status }) => status).sort(), [201, 401, 401, 401], 'of four at once, one')
  const [signed] = all.filter(({ status }) => status === 201)
  t.match(signed?.body, { data: { principal: { id: 'ada' } } })
  t.same(await platform.knex('console.link').where({ id: code.split('.')[0] }), [])

  const wrong = ['', 'x', `${code}x`, code.replace('link_', 'key_'), "' or 1=1 --"]
  for (const guess of wrong)
    t.match(await anyone.post('/console/session', { code: guess }), {
      status: 401,
      body: { error: { code: 'link_invalid' } }
    })
})

t.test('not late, nor for who is disabled', async (t) => {
  const { knex } = platform
  const late = await codeOf(as('ada'))
  await knex('console.link').update({ expiresAt: new Date(Date.now() - 1_000) })
  t.match(await anyone.post('/console/session', { code: late }), { status: 401 })
  await codeOf(as('ada'))
  t.equal((await knex('console.link')).length, 1, 'the expired one went')

  const gone = await codeOf(as('gone'))
  await knex('kernel.principal').where({ id: 'gone' }).update({ disabledAt: new Date() })
  t.match(await anyone.post('/console/session', { code: gone }), {
    status: 401,
    body: { error: { code: 'link_invalid' } }
  })
})

t.test('codes are not guessed', async (t) => {
  const [code, other] = [await codeOf(as('ada')), await codeOf(as('ada'))]
  const tried: number[] = []
  for (const last of 'abcdef')
    tried.push((await anyone.post('/console/session', { code: code.slice(0, -2) + last.repeat(2) })).status)
  t.same(tried, [401, 401, 401, 401, 401, 429])
  t.equal((await anyone.post('/console/session', { code })).status, 429)
  t.equal((await anyone.post('/console/session', { code: other })).status, 201, 'which is that link’s alone')
})

t.test('the list of packs follows what is on', async (t) => {
  const browser = await signIn(as('ada'))
  const stream = await changesOf(booted, browser)
  t.match(stream.reply.headers.get('content-type'), 'text/event-stream')
  t.match(stream.reply.headers.get('cache-control'), 'no-store')
  t.ok((await stream.next())?.includes('goals'))
  await admin.put('/v1/packs/goals', { enabled: false })
  t.notOk((await stream.next())?.includes('goals'))
  await admin.put('/v1/packs/goals', { enabled: true })
  t.ok((await stream.next())?.includes('goals'), 'over any number of generations')
  t.equal((await anyone.get('/console/changes')).status, 401)
  t.equal((await anyone.request('HEAD', '/console/changes', { headers: browser })).status, 200)

  await admin.put('/v1/packs/console', { enabled: false })
  t.equal(await stream.next(), undefined, 'it goes with the pack')
  t.equal((await anyone.get('/v1/agents', browser)).status, 200, 'the session is the kernel’s')
  await admin.put('/v1/packs/console', { enabled: true })
})
