import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Agent } from 'node:http'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { serve, strange } from '../../../test/loopback.ts'
import { begin, complete, forwarding } from './testbed.ts'

const path = '/v1/compute/x?token=in-the-url'
const gatewayError = { type: 'upstream_error' }
const timeout = { type: 'upstream_timeout' }

t.test('without an address everything is 503 that names the capability', async (t) => {
  const platform = await boot(t, { packs: ['compute'] })
  const { as, anyone } = platform
  for (const method of ['GET', 'POST', 'DELETE'])
    t.match(await as('ada').request(method, '/v1/compute/x'), {
      status: 503,
      body: { error: { type: 'service_unavailable', message: /compute/, code: 'capability_missing' } }
    })
  t.match(await complete(await begin(platform, { path: '/v1/compute/%2e%2e' })), { status: 400 })
  t.match(await anyone.get('/v1/compute/x'), { status: 401 })
})

t.test('an address that is none is a fault of the setting', async (t) => {
  for (const url of ['ftp://127.0.0.1/', 'http://user:pass@127.0.0.1/', 'http://127.0.0.1/?a=1']) {
    const platform = await boot(t, { packs: ['compute'], env: { COMPUTE_URL: url } })
    const { status, reason } = await platform.platform.packs.show('compute')
    t.match({ status, reason }, { status: 'failed', reason: /^setting \w+ \(environment\)/ })
  }
})

t.test('what is no reply is 502, and its cause is logged without the URL', async (t) => {
  const lines: Record<string, unknown>[] = []
  const closed = await strange(t, () => undefined)
  const reset = await strange(t, (socket) => socket.once('data', () => socket.resetAndDestroy()))
  const hungUp = await strange(t, (socket) => socket.once('data', () => socket.end()))
  const garbage = await strange(t, (socket) =>
    socket.once('data', () => socket.end('220 not-HTTP secret-part\r\n\r\n'))
  )
  const refused = closed.replace(/\d+$/, '1')
  for (const url of [refused, reset, hungUp, garbage]) {
    const platform = await forwarding(
      t,
      url,
      {},
      { env: { COMPUTE_URL: url }, log: (line) => lines.push(line) }
    )
    const ada = platform.as('ada')
    t.match(await ada.get(path), { status: 502, body: { error: gatewayError } })
    t.match(await ada.post(path, { a: 1 }), { status: 502, body: { error: gatewayError } })
    await platform.close()
  }
  const failed = lines.filter(({ status }) => status === 502)
  t.equal(failed.length, 8)
  for (const line of failed)
    t.match(line, {
      route: '/v1/compute/*',
      err: { message: /^compute service: (ECONN|UND_ERR|HTTPParserError)/ }
    })
  const text = JSON.stringify(lines)
  t.notOk(text.includes('in-the-url'))
  t.notOk(text.includes('secret-part'))
})

t.test('what takes too long is 504', async (t) => {
  t.test('connecting', async (t) => {
    const silent = await strange(t, () => undefined)
    const { as } = await forwarding(t, silent.replace('http:', 'https:'), { connectTimeout: 50 })
    t.match(await as('ada').get(path), { status: 504, body: { error: timeout } })
  })

  t.test('the first byte', async (t) => {
    const { url } = await serve(t, (request) => void request.resume())
    const { as } = await forwarding(t, url, { firstByteTimeout: 50 })
    t.match(await as('ada').get(path), { status: 504, body: { error: timeout } })
    t.match(await as('ada').post(path, { a: 1 }), { status: 504, body: { error: timeout } })
  })

  t.test('a pause in a reply cuts the connection', async (t) => {
    const { url } = await serve(t, (_request, response) => void response.write('begun'))
    const platform = await forwarding(t, url, { idleTimeout: 50 })
    const request = await begin(platform, { path })
    await t.rejects(complete(request), { code: 'ECONNRESET' })
  })
})

t.test('a reply that breaks off cuts the connection', async (t) => {
  const lines: Record<string, unknown>[] = []
  const { url } = await serve(t, (request, response) => {
    if (request.url?.startsWith('/length')) response.setHeader('content-length', 100)
    if (request.url?.startsWith('/silent')) response.flushHeaders()
    else response.write('begun')
    request.once('end', () => setImmediate(() => request.socket.destroy())).resume()
  })
  const log = (line: Record<string, unknown>) => void lines.push(line)
  const platform = await forwarding(t, url, {}, { env: { COMPUTE_URL: url }, log })
  for (const kind of ['chunked', 'length', 'silent']) {
    const request = await begin(platform, { path: `/v1/compute/${kind}?token=in-the-url` })
    await t.rejects(complete(request), { code: 'ECONNRESET' }, kind)
  }
  await platform.close()
  const told = lines.filter(({ msg }) => msg === 'the compute service broke its reply off')
  t.equal(told.length, 3)
  t.notOk(JSON.stringify(lines).includes('in-the-url'))
})

t.test('a caller who leaves ends the request at the compute service', async (t) => {
  let arrived: (request: IncomingMessage) => void = () => {}
  const { url } = await serve(t, (request, response) => {
    request.on('error', () => undefined)
    if (request.url === '/begun') response.write('begun')
    arrived(request)
  })
  const platform = await forwarding(t, url)
  const closed = ({ socket }: IncomingMessage) =>
    new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const next = () =>
    new Promise<IncomingMessage>((resolve) => {
      arrived = resolve
    })

  for (const target of ['waiting', 'begun']) {
    const [arriving, request] = [next(), await begin(platform, { path: `/v1/compute/${target}` })]
    request.on('error', () => undefined).end()
    const there = await arriving
    const gone = closed(there)
    if (target === 'begun') await once(request, 'response')
    request.destroy()
    await gone
    t.ok(there.destroyed, target)
  }

  const arriving = next()
  const headers = { 'content-length': 10 }
  const upload = await begin(platform, { method: 'POST', path: '/v1/compute/upload', headers })
  upload.on('error', () => undefined).write('half')
  const there = await arriving
  t.equal(`${await once(there, 'data')}`, 'half')
  const gone = closed(there)
  upload.destroy()
  await gone
  t.notOk(there.complete, 'half an upload is not a whole one')
})

t.test('a body beyond the limit is 413, and the connection serves on', async (t) => {
  let ended = 0
  const { url } = await serve(t, (request, response) => {
    request.on('error', () => undefined).resume()
    request.once('end', () => {
      ended++
      response.end('whole')
    })
  })
  const platform = await forwarding(t, url, { bodyLimit: 1_000 })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  const send = async (size: number, headers: Record<string, string | number>) => {
    const options = { method: 'POST', path: '/v1/compute/x', headers, agent }
    return complete(await begin(platform, options), Buffer.alloc(size))
  }
  const chunked = { 'transfer-encoding': 'chunked' }
  t.match(await send(1_000, chunked), { status: 200, text: 'whole' })
  for (const headers of [chunked, { 'content-length': 1_001 }]) {
    const { status, text } = await send(1_001, headers)
    t.equal(status, 413)
    t.match(JSON.parse(text), { error: { type: 'request_too_large' } })
  }
  t.match(await send(1_000, { 'content-length': 1_000 }), { status: 200 })
  t.equal(ended, 2, 'what was too large never ended there')
  await t.rejects(send(1_000_000, chunked), { code: /ECONNRESET|EPIPE/ }, 'nobody reads on for ever')
})
