import t from 'tap'
import { boot } from '../boot.ts'
import { refused } from './refused.ts'

const preflight = (origin: string, method = 'PUT') => ({
  headers: {
    origin,
    'access-control-request-method': method,
    'access-control-request-headers': 'authorization, content-type, idempotency-key, if-match'
  }
})
const corsHeaders = (headers: Headers) =>
  [...headers.keys()].filter((name) => name.startsWith('access-control'))

t.test('browsers from elsewhere are not served unless they are named', async (t) => {
  const { as, anyone } = await boot(t, 'goals')
  const origin = 'https://app.example'
  t.strictSame(corsHeaders((await as('ada').get('/v1/agents', { origin })).headers), [])
  const asked = await anyone.request('OPTIONS', '/v1/agents', preflight(origin))
  refused(t, asked, 404)
  t.strictSame(corsHeaders(asked.headers), [])
})

t.test('browsers of named origins', async (t) => {
  const [app, other] = ['https://app.example', 'http://localhost:5173']
  const { as, anyone } = await boot(t, 'goals', { env: { CORS_ORIGINS: `${app}, ${other}` } })
  const ada = as('ada')
  for (const origin of [app, other]) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status, headers } = await anyone.request('OPTIONS', '/v1/agents', preflight(origin, method))
      t.equal(status, 204)
      t.equal(headers.get('access-control-allow-origin'), origin)
      t.match(headers.get('access-control-allow-methods'), method)
      for (const name of ['authorization', 'content-type', 'idempotency-key', 'if-match'])
        t.match(headers.get('access-control-allow-headers'), name)
      t.equal(headers.get('access-control-allow-credentials'), null)
    }
    const { headers } = await ada.get('/v1/agents', { origin })
    t.equal(headers.get('access-control-allow-origin'), origin)
    t.match(headers.get('vary'), /origin/i)
    for (const name of ['x-request-id', 'etag', 'retry-after', 'idempotency-replayed', 'x-run-id'])
      t.match(headers.get('access-control-expose-headers'), name)
    for (const [reply, status] of [
      [await anyone.get('/v1/agents', { origin }), 401],
      [await ada.get('/v1/agents?nope=1', { origin }), 400],
      [await ada.get('/v1/nope', { origin }), 404]
    ] as const) {
      refused(t, reply, status)
      t.equal(reply.headers.get('access-control-allow-origin'), origin, 'a page may read why')
    }
  }
  for (const origin of [
    'https://evil.example',
    'http://app.example',
    'https://app.example.evil.example',
    'null'
  ]) {
    const asked = await anyone.request('OPTIONS', '/v1/agents', preflight(origin))
    t.equal(asked.headers.get('access-control-allow-origin'), null, origin)
    const { headers } = await ada.get('/v1/agents', { origin })
    t.equal(headers.get('access-control-allow-origin'), null, origin)
  }
})
