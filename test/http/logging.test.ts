import t from 'tap'
import { boot } from '../boot.ts'
import { createClient } from '../client.ts'
import { databaseUrl, serve } from './process.ts'
import { requestText, say } from './wire.ts'

t.test('the log of a process', async (t) => {
  const one = await boot(t, 'goals')
  const key = await one.as('ada').key()
  const DATABASE_URL = databaseUrl(one.connection)
  const PLATFORM_SECRET_KEY = Buffer.alloc(32, 9).toString('base64')
  const it = await serve(t, {
    NODE_ENV: 'production',
    DATABASE_URL,
    PLATFORM_SECRET_KEY,
    TRUST_PROXY: 'true'
  })
  const ada = createClient(it.url, 'ada', key)

  const made = await ada.post(
    '/v1/auth/api-keys',
    { name: 'named-secretly' },
    { 'idempotency-key': 'idem-secret' }
  )
  t.equal(made.status, 201)
  const replies = [
    await ada.get('/v1/agents?limit=1'),
    await ada.get('/v1/agents?cursor=query-secret'),
    await ada.get('/v1/agents/path-secret'),
    await ada.get('/unknown/token-secret?access_token=token-secret'),
    await ada.post('/v1/agents', { name: 'body-secret', password: 'body-secret' }),
    await ada.request('POST', '/v1/agents', {
      body: '{"name": body-secret',
      headers: { 'content-type': 'application/json' }
    }),
    await ada.get('/v1/auth/me', {
      authorization: `Bearer ${key}typo-secret`,
      cookie: 'session=cookie-secret'
    })
  ]
  await say(t, it.url, requestText('GET', '/v1/agents/%zz-bad-secret', { authorization: `Bearer ${key}` }))
  await say(t, it.url, `BREW /wire-secret\r\nauthorization: Bearer ${key}\r\n\r\n`)
  it.kill('SIGTERM')
  t.equal(await it.exited, 0)

  const wanted = [
    { method: 'GET', route: '/v1/agents', status: 200, principal: 'ada' },
    { method: 'GET', route: '/v1/agents', status: 400 },
    { method: 'GET', route: '/v1/agents/:agentId', status: 404 },
    { method: 'GET', status: 404 },
    { method: 'POST', route: '/v1/agents', status: 400 },
    { method: 'POST', route: '/v1/agents', status: 400 },
    { method: 'GET', route: '/v1/auth/me', status: 401 }
  ]
  for (const [turn, reply] of replies.entries()) {
    const id = reply.headers.get('x-request-id')
    const lines = it.lines.filter(({ requestId }) => requestId === id)
    t.equal(lines.length, 1, 'one line a request')
    t.match(lines[0], { msg: 'request', ms: Number, ...wanted[turn] })
    if (turn === 3) t.notOk('route' in (lines[0] ?? {}), 'nothing of an unknown path')
  }
  const output = it.output()
  t.notMatch(output, key)
  t.notMatch(output, made.body.data.key)
  t.notMatch(output, PLATFORM_SECRET_KEY)
  t.notMatch(output, /\w+-secret|named-secretly/)
  for (const line of output.trim().split('\n')) t.match(line, /^\{.*\}$/, 'nothing but JSON lines')
})
