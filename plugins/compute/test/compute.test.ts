import { text } from 'node:stream/consumers'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import type { Test } from 'tap'
import t from 'tap'
import { serve } from '../../../test/loopback.ts'
import type { RawReply } from './testbed.ts'
import { begin, complete, forwarding } from './testbed.ts'

interface Echo {
  readonly method: string
  readonly url: string
  readonly headers: Record<string, string>
  readonly names: string[]
  readonly body: string
}

/** A compute service that tells what it got. */
const echo = (t: Test) =>
  serve(t, async (request, response) => {
    const { method, url, headers, rawHeaders } = request
    const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase())
    const body = await text(request)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ method, url, headers, names, body }))
  })
const echoed = (reply: RawReply): Echo => JSON.parse(reply.text)

t.test('a request goes on as it is', async (t) => {
  const { url } = await echo(t)
  const platform = await forwarding(t, `${url}/base/`)

  t.test('in all methods', async (t) => {
    for (const method of ['GET', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const reply = await complete(await begin(platform, { method, path: '/v1/compute/jobs' }))
      t.equal(reply.status, 200)
      t.match(echoed(reply), { method, url: '/base/jobs', body: '' })
    }
    const head = await complete(await begin(platform, { method: 'HEAD', path: '/v1/compute/jobs' }))
    t.match(head, { status: 200, text: '', headers: { 'content-type': 'application/json' } })
  })

  t.test('with its path and query as they were sent', async (t) => {
    const targets = [
      '/',
      '/a%2Fb/c%20d/..e/f...',
      '/x?tag=1&tag=2&flag&empty=&%2e%2e',
      '//double//slashes/',
      `/${'long'.repeat(500)}?q=../..`
    ]
    for (const target of targets)
      t.equal(
        echoed(await complete(await begin(platform, { path: `/v1/compute${target}` }))).url,
        `/base${target}`
      )
  })

  t.test('with its body, announced or chunked', async (t) => {
    const body = 'ü'.repeat(200_000)
    const path = '/v1/compute/jobs'
    const announced = await begin(platform, {
      method: 'POST',
      path,
      headers: { 'content-type': 'application/x-any', 'content-length': Buffer.byteLength(body) }
    })
    const first = echoed(await complete(announced, body))
    t.ok(first.body === body)
    t.match(first.headers, {
      'content-type': 'application/x-any',
      'content-length': `${Buffer.byteLength(body)}`
    })
    const chunked = await begin(platform, {
      method: 'PUT',
      path,
      headers: { 'transfer-encoding': 'chunked', 'content-type': 'text/plain' }
    })
    const second = echoed(await complete(chunked, body))
    t.ok(second.body === body)
    t.match(second.headers, { 'content-type': 'text/plain' })
    const bare = await begin(platform, { method: 'DELETE', path, headers: { 'content-length': 3 } })
    t.equal(echoed(await complete(bare, 'abc')).body, 'abc', 'without a content type')
  })

  t.test('with who asks, signed, and nothing else that says so', async (t) => {
    const secret = 'leaked'
    const dropped = {
      cookie: secret,
      'x-principal-id': secret,
      X_Principal_Envelope: secret,
      'x-principal-envelope': secret,
      'X-User-Id': secret,
      x_user: secret,
      'remote-user': secret,
      'x-forwarded-for': secret,
      X_Forwarded_User: secret,
      forwarded: secret,
      'x-real-ip': secret,
      'x-authenticated-user': secret,
      'x-on-behalf-of': secret,
      'x-impersonate': secret,
      'cf-access-jwt-assertion': secret,
      'x-email': secret,
      'x-groups': secret,
      'x-role': secret,
      'x-tenant-id': secret,
      'x-amzn-oidc-data': secret,
      'x-ms-client-principal': secret,
      'x.compute.user': secret,
      x_compute_user: secret,
      content_type: secret,
      origin: 'https://elsewhere.example',
      content_length: '0',
      'x-api-key': secret,
      'x-request-id': secret,
      'x-http-method-override': 'DELETE',
      'proxy-authorization': secret,
      te: 'trailers',
      expect: '100-continue',
      'x-hop': secret,
      connection: 'keep-alive, X-Hop'
    }
    const kept = {
      'user-agent': 'tests',
      accept: 'text/html',
      'x-compute-pool': 'on',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      'idempotency-key': 'k'
    }
    const got = await complete(
      await begin(platform, { path: '/v1/compute/whoami', headers: { ...dropped, ...kept } })
    )
    t.equal(got.status, 200)
    t.notOk(got.text.includes(secret))
    const { headers, names } = echoed(got)
    t.match(headers, kept)
    t.strictSame(names.filter((name) => !(name in kept)).sort(), [
      'connection',
      'host',
      'x-principal-envelope',
      'x-request-id'
    ])
    t.equal(headers['x-request-id'], got.headers['x-request-id'])
    const keys = createRemoteJWKSet(new URL(`${platform.url}/.well-known/jwks.json`))
    const { payload, protectedHeader } = await jwtVerify(headers['x-principal-envelope'] ?? '', keys, {
      audience: url,
      typ: 'principal+jwt',
      algorithms: ['EdDSA']
    })
    t.match(protectedHeader, { alg: 'EdDSA' })
    t.match(payload, {
      sub: 'ada',
      principalType: 'user',
      project: 'default',
      jti: got.headers['x-request-id'] as string
    })
    t.equal((payload.exp ?? 0) - (payload.iat ?? 0), 60)
  })
})

t.test('a service acts for its initiator, for another audience', async (t) => {
  const { url } = await echo(t)
  const platform = await forwarding(t, url, { audience: 'compute.internal' })
  const service = platform.as('crm', { type: 'service' })
  const { body } = await service.get('/v1/compute/x', { 'x-initiator': 'cleo' })
  t.notOk(body.names.includes('x-initiator'))
  const keys = createRemoteJWKSet(new URL(`${platform.url}/.well-known/jwks.json`))
  const envelope = body.headers['x-principal-envelope']
  const { payload } = await jwtVerify(envelope, keys, { audience: 'compute.internal' })
  t.match(payload, { sub: 'crm', initiator: 'cleo', owner: 'cleo', principalType: 'service' })
})

t.test('a transfer coding that is not known is refused', async (t) => {
  const { url, seen } = await echo(t)
  const platform = await forwarding(t, url)
  for (const coding of ['gzip, chunked', 'gzip', 'chunked, chunked']) {
    const headers = { 'transfer-encoding': coding }
    const reply = await complete(
      await begin(platform, { method: 'POST', path: '/v1/compute/x', headers }),
      'x'
    )
    t.ok(reply.status === 501 || reply.status === 400, `${coding}: ${reply.status}`)
  }
  t.equal(seen.connections, 0)
})

t.test('scopes', async (t) => {
  const { url } = await echo(t)
  const { as, anyone } = await forwarding(t, url)
  const reader = as('reader', { scopes: ['compute:read'] })
  const writer = as('writer', { scopes: ['compute:write'] })
  for (const method of ['GET', 'HEAD', 'OPTIONS']) {
    t.match(await reader.request(method, '/v1/compute/x'), { status: 200 }, method)
    t.match(await writer.request(method, '/v1/compute/x'), { status: 403 }, method)
  }
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    t.match(await writer.request(method, '/v1/compute/x'), { status: 200 }, method)
    const refused = await reader.request(method, '/v1/compute/x', { body: 'a' })
    t.match(refused, { status: 403, body: { error: { code: 'scope_missing' } } }, method)
  }
  t.match(await anyone.get('/v1/compute/x'), {
    status: 401,
    body: { error: { type: 'authentication_error' } }
  })
  t.match(await as('ada').get('/v1/compute'), { status: 404 })
})

t.test('a path that could be read as another one is refused', async (t) => {
  let asked = 0
  const { url } = await serve(t, (_request, response) => {
    asked++
    response.end()
  })
  const platform = await forwarding(t, url)
  const paths = [
    '..',
    'a/../b',
    'a/./b',
    '%2e%2e/admin',
    '%2E./admin',
    'a/%2e',
    'a%2f..%2fb',
    'a/..%2Fb',
    'a\\..\\b',
    'a%5c..%5cb',
    '%252e%252e/admin',
    'a/..;x=1/b',
    '..?x=1',
    '..%3fx'
  ]
  for (const path of paths) {
    const reply = await complete(await begin(platform, { path: `/v1/compute/${path}` }))
    t.match(JSON.parse(reply.text), { error: { type: 'invalid_request_error', param: '*' } }, path)
    t.equal(reply.status, 400)
  }
  t.equal((await complete(await begin(platform, { path: '/v1/compute/a%00b' }))).status, 404)
  const disguised = await complete(await begin(platform, { path: '/v1/comput%65/x' }))
  t.match(disguised.status, 400)
  const loaded = await begin(platform, { path: '/v1/compute/x', headers: { 'content-length': 2 } })
  t.match(await complete(loaded, '{}'), { status: 400 }, 'a GET has no body')
  t.equal(asked, 0)
})
