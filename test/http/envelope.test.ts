import t from 'tap'
import { boot } from '../boot.ts'
import { probe, probeFolder, SECRET } from './probe.ts'
import { refused } from './refused.ts'
import { openWire, requestText, say } from './wire.ts'

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

t.test('failures before there is a request', async (t) => {
  const { url, as } = await boot(t, 'goals')
  const auth = bearer(await as('ada').key())
  const said = (text: string) => say(t, url, text)

  refused(t, await said('nonsense\r\n\r\n'), 400, {}, 'not HTTP')
  refused(t, await said('GET /health HTTP/9.9\r\nhost: x\r\n\r\n'), 400, {}, 'no such version')
  refused(t, await said('GET /health HTTP/1.1\r\nhost: x\r\nbad header\r\n\r\n'), 400, {}, 'a bad header')
  refused(t, await said('GET /health HTTP/1.1\r\n\r\n'), 400, { param: 'host' }, 'no host')
  refused(
    t,
    await said(
      requestText('POST', '/v1/goals', { ...auth, 'content-length': '2', 'transfer-encoding': 'chunked' })
    ),
    400,
    {},
    'two lengths'
  )
  refused(t, await said(requestText('GET', `/v1/goals?q=${'a'.repeat(9_000)}`, auth)), 414, {}, 'a long URL')
  refused(t, await said(requestText('GET', `/${'a'.repeat(40_000)}`, auth)), 414, {}, 'an endless URL')
  refused(
    t,
    await said(requestText('GET', '/v1/agents', { ...auth, 'x-long': 'a'.repeat(40_000) })),
    431,
    {},
    'long headers'
  )
  refused(t, await said(requestText('GET', '/v1/agents/%zz', auth)), 400, {}, 'a bad percent sign')
  refused(t, await said(requestText('GET', '/v1/agents/%C0%80', auth)), 400, {}, 'a path that is not UTF-8')
  refused(t, await said(requestText('BREW', '/v1/agents', auth)), 404, {}, 'a method that does not exist')
  refused(t, await said(requestText('CONNECT', 'example.com:443', auth)), 404, {}, 'a tunnel')
  refused(t, await said(requestText('GET', '/v1/agents', { ...auth, expect: 'miracles' })), 400, {
    param: 'expect'
  })
})

t.test('routes and methods that are not there', async (t) => {
  const { url, as, anyone } = await boot(t, 'goals')
  const ada = as('ada')

  for (const path of ['/v1/nope', '/', '/v1', '//v1/agents', '/v1/AGENTS', '/v2/agents'])
    refused(t, await anyone.get(path), 404, { message: /Route not found/ }, path)
  for (const method of ['PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE']) {
    const text = requestText(method, '/v1/agents', bearer(await ada.key()))
    refused(t, await say(t, url, text), 404, {}, method)
  }
  const wire = await openWire(t, url)
  wire.send('HEAD /v1/agents HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  await wire.closed
  t.match(wire.rest(), /^HTTP\/1\.1 401 [\s\S]*\r\n\r\n$/, 'HEAD answers as GET, without a body')
})

t.test('request ids are ours', async (t) => {
  const { anyone, as } = await boot(t, 'goals')
  const ada = as('ada')
  const own = { 'x-request-id': 'mine', 'request-id': 'mine' }
  const ids = new Set<string | null>()
  for (const reply of [
    await ada.get('/v1/agents', own),
    await ada.get('/v1/agents?nope=1', own),
    await anyone.get('/v1/agents', own),
    await anyone.get('/nope', own),
    await anyone.get('/health', own)
  ]) {
    const id = reply.headers.get('x-request-id')
    t.match(id, /^req_\w+$/)
    if (reply.body.error) t.equal(reply.body.error.requestId, id)
    ids.add(id)
  }
  t.equal(ids.size, 5, 'each its own')
})

t.test('a 500 tells nothing', async (t) => {
  const lines: Record<string, unknown>[] = []
  const folder = await probeFolder(t)
  const { as } = await boot(t, { packs: ['probe'], folders: [folder], log: (line) => lines.push(line) })
  const ada = as('ada')
  for (const name of ['throw', 'throw-now', 'throw-null', 'throw-text', 'sql', 'broken']) {
    const reply = await ada.get(`/v1/probe/${name}`)
    refused(t, reply, 500, { message: /^Something went wrong on our side$/ }, name)
    t.strictSame(Object.keys(reply.body.error).sort(), ['message', 'requestId', 'type'])
    t.notMatch(reply.text, /select|no_such_table|node:|\.ts|at /, name)
    t.notMatch(JSON.stringify([...reply.headers]) + reply.text, SECRET, name)
    const line = lines.find(({ requestId }) => requestId === reply.headers.get('x-request-id'))
    t.match(line, { status: 500, level: 50, route: `/v1/probe/${name}` }, 'and is logged')
  }
})

t.test('garbage in the middle of a reply ends it, and puts nothing into it', async (t) => {
  const folder = await probeFolder(t)
  const { as, url, anyone } = await boot(t, { packs: ['probe'], folders: [folder] })
  const auth = bearer(await as('ada').key())
  const wire = await openWire(t, url)
  const begun = new Promise((resolve) =>
    wire.socket.on('data', (chunk) => chunk.includes('begun') && resolve(0))
  )
  wire.send(requestText('GET', '/v1/probe/endless', auth))
  await begun
  wire.send('garbage\r\n\r\n')
  await wire.closed
  t.notMatch(wire.rest(), 'Malformed')
  t.match(await anyone.get('/health'), { status: 200 }, 'others are served')
})

t.test('upgrades', async (t) => {
  const folder = await probeFolder(t)
  const { as, url } = await boot(t, { packs: ['probe'], folders: [folder] })
  const upgrade = { connection: 'upgrade', upgrade: 'websocket' }
  const auth = bearer(await as('ada').key())

  refused(t, await say(t, url, requestText('GET', '/v1/nope', { ...upgrade, ...auth })), 404)
  refused(t, await say(t, url, requestText('GET', '/v1/probe/socket', upgrade)), 401)
  const narrow = bearer(await as('ada', { scopes: ['goals:read'] }).key())
  refused(t, await say(t, url, requestText('GET', '/v1/probe/socket', { ...upgrade, ...narrow })), 403)

  const opened = new Promise((resolve) => probe.once('opened', resolve))
  t.match(await say(t, url, requestText('GET', '/v1/probe/socket', { ...upgrade, ...auth })), { status: 101 })
  await opened
  const other = { connection: 'upgrade, http2-settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABk' }
  t.match(
    await say(t, url, requestText('GET', '/health', other)),
    { status: 200 },
    'another protocol on offer is declined, the request served'
  )
})
