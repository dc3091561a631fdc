import type { IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { FormData } from 'undici'
import { serve } from '../../../test/loopback.ts'
import { outgoing, spellings } from './testbed.ts'

/** As it goes over the wire: UTF-8. */
const bytes = (text: string) => Buffer.from(text).toString('latin1')

interface Seen {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}

/** A server that redirects `/to/<status>/<location>`, and keeps what it was sent. */
async function redirecting(t: Parameters<typeof serve>[0]) {
  const seen: Seen[] = []
  const server = await serve(t, async (request, response) => {
    const { method = '', url = '', headers } = request
    seen.push({ method, url, headers, body: await text(request) })
    const [, status, location = ''] = /^\/to\/(\d+)\/(.*)$/.exec(url) ?? []
    if (status) response.writeHead(Number(status), { location: bytes(decodeURIComponent(location)) })
    response.end(`at ${url}`)
  })
  const to = (location: string, status = 302) => `${server.url}/to/${status}/${encodeURIComponent(location)}`
  return { ...server, seen, to }
}

const secrets = {
  authorization: 'Bearer secret',
  cookie: 'a=secret',
  'proxy-authorization': 'secret',
  'x-api-key': 'secret',
  'x-anything': 'secret',
  'accept-language': 'eo',
  accept: 'text/plain',
  'user-agent': 'tests'
}

t.test('a redirect to a private address is not followed', async (t) => {
  const inner = await serve(t, (_, response) => response.end('inner'), '0.0.0.0')
  const outer = await redirecting(t)
  const names = { 'evil.example': [['127.0.0.1']] }
  const { fetch } = outgoing(t, { allow: `127.0.0.1:${outer.port}`, names })
  const wanted = { kind: 'upstream', code: 'address_refused' }
  for (const host of [...spellings, 'evil.example']) {
    const target = `http://${host}:${inner.port}/`
    await t.rejects(fetch(outer.to(target)), wanted, host)
    await t.rejects(fetch(outer.to(outer.to(target, 307), 301)), wanted, `${host} in two steps`)
  }
  const from = outer.seen.length
  for (const target of [
    `//127.0.0.2:${inner.port}/`,
    'file:///etc/passwd',
    'data:text/plain,inner',
    'ftp://example.com/',
    'javascript:1',
    `http://user:secret@127.0.0.1:${outer.port}/`
  ])
    await t.rejects(fetch(outer.to(target)), wanted, target)
  t.equal(outer.seen.length - from, 6)
  t.equal(inner.seen.connections, 0)
})

t.test('at most five redirects', async (t) => {
  const { url, to, seen } = await redirecting(t)
  const { fetch } = outgoing(t, { allow: '127.0.0.1' })
  const chain = (length: number): string => (length === 0 ? `${url}/end` : to(chain(length - 1)))
  const reply = await fetch(chain(5))
  t.match(reply, { status: 200, url: `${url}/end`, redirected: true })
  t.equal(await reply.text(), 'at /end')
  seen.length = 0
  await t.rejects(fetch(chain(6)), { kind: 'upstream', code: 'redirected', message: /redirects too often/ })
  t.equal(seen.length, 6)
  t.match(await fetch(`${url}/end`), { url: `${url}/end`, redirected: false })
})

t.test('a caller may take the redirect itself, or none at all', async (t) => {
  const { url, to, seen } = await redirecting(t)
  const { fetch } = outgoing(t, { allow: '127.0.0.1' })
  const reply = await fetch(to('/end'), { redirect: 'manual' })
  t.match(reply, { status: 302, redirected: false })
  t.equal(reply.headers.get('location'), '/end')
  await reply.body?.cancel()
  await t.rejects(fetch(to('/end'), { redirect: 'error' }), { kind: 'upstream', code: 'redirected' })
  t.equal(seen.length, 2)
  t.equal((await fetch(`${url}/to/302/`, {})).status, 302, 'without a location it is a reply')
  await t.rejects(fetch(to('http://[')), { kind: 'upstream', message: /a redirect names is not valid/ })
})

t.test('headers follow within an origin, and only harmless ones beyond', async (t) => {
  const [first, second] = [await redirecting(t), await redirecting(t)]
  const { fetch } = outgoing(t, { allow: '127.0.0.1' })
  await fetch(first.to('/end'), { headers: secrets })
  t.match(first.seen.at(-1), { url: '/end', headers: secrets })

  await fetch(first.to(`${second.url}/there`), { headers: secrets })
  const { headers } = second.seen[0] as Seen
  t.match(headers, { 'accept-language': 'eo', accept: 'text/plain', 'user-agent': 'tests' })
  t.equal(headers.host, new URL(second.url).host)
  t.notOk(JSON.stringify(headers).includes('secret'))

  await fetch(first.to(second.to(`${first.url}/back`)), { headers: secrets })
  t.equal(first.seen.at(-1)?.url, '/back')
  t.notOk(JSON.stringify(first.seen.at(-1)?.headers).includes('secret'), 'what was dropped stays away')
})

t.test('methods and bodies change as the fetch standard has it', async (t) => {
  const { to, seen } = await redirecting(t)
  const { fetch } = outgoing(t, { allow: '127.0.0.1' })
  const headers = { 'content-type': 'text/x', 'content-language': 'eo', 'x-kept': '1' }
  for (const [status, method, then] of [
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [303, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [301, 'PUT', 'PUT'],
    [302, 'DELETE', 'DELETE'],
    [307, 'POST', 'POST'],
    [308, 'patch', 'PATCH']
  ] as const) {
    await fetch(to('/end', status), { method, headers, body: 'whole' })
    const { headers: got, ...last } = seen.at(-1) as Seen
    const kept = then !== 'GET'
    t.same(last, { method: then, url: '/end', body: kept ? 'whole' : '' }, `${status} ${method}`)
    t.match(got, { 'x-kept': '1', 'content-type': kept ? 'text/x' : undefined })
    t.equal(got['content-language'], kept ? 'eo' : undefined)
  }
  await fetch(to('/end', 303), { method: 'HEAD' })
  t.equal(seen.at(-1)?.method, 'HEAD')
})

t.test('what can be sent again is, a stream is not', async (t) => {
  const { to, seen } = await redirecting(t)
  const { fetch } = outgoing(t, { allow: '127.0.0.1' })
  const [form, other] = [new FormData(), new globalThis.FormData()]
  form.append('a', 'whole')
  other.append('a', new Blob(['whole']), 'a.txt')
  for (const body of [
    'whole',
    Buffer.from('whole'),
    new TextEncoder().encode('whole').buffer,
    new Blob(['whole']),
    new URLSearchParams('a=whole'),
    form,
    other as unknown as FormData
  ]) {
    t.equal((await fetch(to('/end', 307), { method: 'POST', body })).status, 200)
    t.match(seen.at(-1), { url: '/end', body: /whole/ }, body.constructor.name)
  }
  t.match(seen.at(-1)?.body, /filename="a.txt"/)
  const count = seen.length
  async function* pieces() {
    yield Buffer.from('whole')
  }
  for (const body of [new Blob(['whole']).stream(), pieces(), [Buffer.from('whole')]]) {
    const failure = { kind: 'upstream', message: /cannot be sent again/ }
    await t.rejects(fetch(to('/end', 307), { method: 'POST', body }), failure)
  }
  t.same(
    seen.slice(count).map(({ body }) => body),
    ['whole', 'whole', 'whole']
  )
  const body = new Blob(['whole']).stream()
  t.equal((await fetch(to('/end', 303), { method: 'POST', body })).status, 200, 'unless nobody asks for it')
})
