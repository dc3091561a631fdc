import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { serve } from '../../../test/loopback.ts'
import { begin, complete, forwarding } from './testbed.ts'

const chunked = { 'transfer-encoding': 'chunked' }

t.test('both ways at once, a piece at a time', async (t) => {
  const { url } = await serve(t, (request, response) => request.pipe(response))
  const platform = await forwarding(t, url)
  const request = await begin(platform, { method: 'POST', path: '/v1/compute/echo', headers: chunked })
  request.write('0')
  const [reply] = await once(request, 'response')
  const ended = once(reply, 'end')
  t.equal(`${await once(reply, 'data')}`, '0')
  for (const piece of ['1', '2', '3']) {
    const back = once(reply, 'data')
    request.write(piece)
    t.equal(`${await back}`, piece, 'comes back before the next one is sent')
  }
  request.end()
  await ended
})

t.test('headers come before the first byte of the body', async (t) => {
  let finish = () => {}
  const { url } = await serve(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    finish = () => response.end('data: 1\n\n')
  })
  const platform = await forwarding(t, url)
  const request = await begin(platform, { path: '/v1/compute/events' })
  request.end()
  const [reply] = await once(request, 'response')
  const ended = once(reply, 'end')
  t.equal(reply.headers['content-type'], 'text/event-stream')
  const data = once(reply, 'data')
  finish()
  t.equal(`${await data}`, 'data: 1\n\n')
  await ended
})

t.test('large bodies arrive whole, with a slow reader', async (t) => {
  const bytes = randomBytes(8_000_000)
  const { url } = await serve(t, (request, response) => request.pipe(response))
  const platform = await forwarding(t, url)
  const request = await begin(platform, { method: 'PUT', path: '/v1/compute/blob', headers: chunked })
  request.end(bytes)
  const [reply] = await once(request, 'response')
  const hash = createHash('sha256')
  let pauses = 0
  for await (const chunk of reply) {
    hash.update(chunk)
    if (pauses++ < 5) await delay(5)
  }
  t.equal(hash.digest('hex'), createHash('sha256').update(bytes).digest('hex'))
})

t.test('a reply that does not wait for the body reaches the caller', async (t) => {
  const { url } = await serve(t, (request, response) => {
    request.on('error', () => undefined)
    response.writeHead(409).end('too early')
  })
  const platform = await forwarding(t, url)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  for (let count = 0; count < 3; count++) {
    const options = {
      method: 'POST',
      path: '/v1/compute/x',
      headers: { 'content-length': 2_000_000 },
      agent
    }
    const request = await begin(platform, options)
    t.match(await complete(request, Buffer.alloc(2_000_000)), { status: 409, text: 'too early' })
  }
})

t.test('a reply that has begun outlives a reload and ends with its credential', async (t) => {
  const { url } = await serve(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
  })
  const platform = await forwarding(t, url)
  const request = await begin(platform, { path: '/v1/compute/events' })
  request.end()
  const [reply] = await once(request, 'response')
  t.equal(`${await once(reply, 'data')}`, 'data: 1\n\n')
  t.match(await platform.admin.post('/v1/packs/compute/reload'), { status: 200 })
  t.notOk(reply.destroyed, 'still open after the reload')
  const cut = once(reply, 'error')
  const { body } = await platform.as('ada').get('/v1/auth/me')
  await platform.platform.credentials.revokePrincipal(body.data.project, body.data.principalId)
  t.match(await cut, [{ code: 'ECONNRESET' }])
})
