import { once } from 'node:events'
import t from 'tap'
import { serve } from '../../../test/loopback.ts'
import { begin, complete, forwarding } from './testbed.ts'

t.test('a reply comes back as it is', async (t) => {
  const body = JSON.stringify({ error: 'of the compute service' })
  const statuses = [200, 201, 301, 307, 400, 401, 404, 409, 422, 429, 500, 503]
  const { url } = await serve(t, (request, response) => {
    const status = Number(request.url?.slice(1))
    response.setHeader('set-cookie', ['a=1', 'b=2'])
    response.setHeader('connection', 'keep-alive, x-hop')
    response.setHeader('x-hop', 'here alone')
    response.setHeader('x-request-id', 'theirs')
    response.setHeader('x-principal-envelope', 'theirs')
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('link', ['</a>; rel=a', '</b>; rel=b'])
    response.setHeader('content-disposition', Buffer.from('inline; filename="ü€"').toString('latin1'))
    response.setHeader('x-name', Buffer.from('ü€').toString('latin1'))
    response.setHeader('location', 'http://elsewhere.example/x')
    response.setHeader('etag', '"7"')
    const bodiless = status === 204 || status === 304
    if (status % 2 && !bodiless) response.setHeader('content-length', body.length)
    // With a body of text the headers would be written as UTF-8 once more.
    response.writeHead(status).end(bodiless ? undefined : Buffer.from(body))
  })
  const platform = await forwarding(t, url)
  for (const status of statuses) {
    const { headers, ...reply } = await complete(await begin(platform, { path: `/v1/compute/${status}` }))
    t.match(reply, { status, text: body })
    t.match(headers, {
      link: '</a>; rel=a, </b>; rel=b',
      location: 'http://elsewhere.example/x',
      etag: '"7"',
      'content-disposition': Buffer.from('inline; filename="ü€"').toString('latin1'),
      'x-name': Buffer.from('ü€').toString('latin1'),
      'x-request-id': /^req_/
    })
    for (const name of ['set-cookie', 'x-hop', 'x-principal-envelope', 'access-control-allow-origin'])
      t.notOk(name in headers, name)
  }
  for (const status of [204, 304]) {
    const reply = await complete(await begin(platform, { path: `/v1/compute/${status}` }))
    t.match(reply, { status, text: '', headers: { etag: '"7"' } })
  }
})

t.test('what browsers need is said by the gateway, not by the compute service', async (t) => {
  const { url } = await serve(t, (_request, response) => {
    response.setHeader('vary', 'accept')
    response.setHeader('access-control-allow-origin', '*')
    response.end()
  })
  const origin = 'https://app.example.com'
  const { as } = await forwarding(t, url, {}, { env: { COMPUTE_URL: url, CORS_ORIGINS: origin } })
  const { headers } = await as('ada').get('/v1/compute/x', { origin })
  t.equal(headers.get('access-control-allow-origin'), origin)
  t.match(headers.get('vary'), /origin/i)
  t.match(headers.get('vary'), /accept/)
})

t.test('connections outlive a reload, and so does a reply', async (t) => {
  let finish = () => {}
  const { url, seen } = await serve(t, (request, response) => {
    if (request.url !== '/slow') return response.end('quick')
    response.write('begun ')
    finish = () => response.end('done')
  })
  const platform = await forwarding(t, url)
  const ada = platform.as('ada')
  t.match(await ada.get('/v1/compute/quick'), { text: 'quick' })
  const slow = await begin(platform, { path: '/v1/compute/slow' })
  slow.end()
  const [reply] = await once(slow, 'response')
  const ended = once(reply, 'end')
  t.equal(`${await once(reply, 'data')}`, 'begun ')
  const before = seen.connections
  t.match(await platform.admin.post('/v1/packs/compute/reload'), { status: 200 })
  t.match(await ada.get('/v1/compute/quick'), { text: 'quick' })
  t.ok(seen.connections <= before + 1, 'at most one beside the one that is taken')
  const rest = once(reply, 'data')
  finish()
  t.equal(`${await rest}`, 'done')
  await ended
})
