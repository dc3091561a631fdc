import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { serve } from '../../../test/loopback.ts'
import { temporaryFolder, writeFiles } from '../../../test/pack-folders.ts'
import { outgoing } from './testbed.ts'

t.test('check takes addresses by their spelling alone', (t) => {
  const { check, asked } = outgoing(t)
  t.equal(check(' HTTPS://Example.COM:8443/a?b#c ', 'url').href, 'https://example.com:8443/a?b#c')
  t.ok(check('http://93.184.216.34/', 'url'))
  t.ok(check('http://[2606:4700:4700::1111]/', 'url'))
  const faults = {
    'url must be an http or https address': [
      '',
      'example.com',
      '//example.com',
      'ftp://example.com',
      'file:///etc'
    ],
    'url must not contain a user or password': ['http://user@example.com', 'https://:secret@example.com'],
    'url must be a public address': ['http://127.0.0.1', 'http://localhost/']
  }
  for (const [message, urls] of Object.entries(faults))
    for (const url of urls) t.throws(() => check(url, 'url'), { kind: 'invalid', param: 'url', message }, url)
  t.same(asked, [])
  t.end()
})

t.test('fetch refuses what check would', async (t) => {
  const { fetch } = outgoing(t)
  for (const url of [
    'example.com',
    'ftp://example.com',
    'file:///etc/passwd',
    'data:,a',
    'http://user:a@1.1.1.1'
  ])
    await t.rejects(fetch(url), { kind: 'upstream', code: 'address_refused' }, url)
})

t.test('a mistake in a request is no failure of the other side', async (t) => {
  const { url, seen } = await serve(t, (_, response) => response.end())
  const { fetch } = outgoing(t, { allow: '127.0.0.1' })
  await t.rejects(fetch(url, { headers: { 'not a name': '1' } }), TypeError)
  await t.rejects(fetch(url, { method: 'GET', body: 'a body' }), TypeError)
  t.equal(seen.requests, 0)
})

/** A pack that fetches what it is told to, as packs do. */
const visits = {
  'visits/pack.ts': `
    import { Data, definePack } from 'agent-platform'
    import { Type } from 'typebox'
    const Body = Type.Object({ url: Type.String() })
    const Seen = Type.Object({ text: Type.String(), statusCode: Type.Integer() }, { title: 'Seen' })
    export default definePack({
      name: 'visits',
      area: 'Tests',
      requires: ['outgoing'],
      services: { early: ({ outgoing }) => outgoing.dispatcher },
      routes: (app, { outgoing }) => {
        app.post('/visits', { schema: { tags: ['visits'], summary: 'Visit', body: Body, response: { 200: Data(Seen) } } }, async ({ body }) => {
          const reply = await outgoing.fetch(outgoing.check(body.url, '/url'))
          const { statusCode } = await outgoing.dispatcher.request({ origin: body.url, path: '/', method: 'GET' })
          return { data: { text: await reply.text(), statusCode } }
        })
      }
    })`
}

async function platform(t: Parameters<typeof boot>[0], env: Record<string, string> = {}) {
  const folder = await writeFiles(await temporaryFolder(t), visits)
  return boot(t, { packs: ['access', 'packs', 'outgoing', 'visits'], folders: [folder], env })
}

t.test('other packs connect through it, also over reloads and changes of settings', async (t) => {
  const { url, port, seen } = await serve(t, (_, response) => response.end('there'))
  const { as, admin } = await platform(t, { OUTGOING_ALLOW: `127.0.0.1:${port}` })
  const run = (address: string) => as('ada').post('/v1/visits', { url: address })
  t.match(await run(url), { status: 200, body: { data: { text: 'there', statusCode: 200 } } })
  const refused = { error: { type: 'invalid_request_error', param: '/url' } }
  t.match(await run('http://127.0.0.1:1/?token=1'), { status: 400, body: refused })

  const { connections } = seen
  t.match(await admin.post('/v1/packs/outgoing/reload'), { status: 200 })
  t.match(await run(url), { status: 200 })
  t.equal(seen.connections, connections, 'the connections outlive a reload')
  t.match(await admin.put('/v1/packs/outgoing', { settings: { connections: 7 } }), { status: 200 })
  t.match(await run(url), { status: 200 })
  t.ok(seen.connections > connections, 'with other settings there are others')
})

t.test('a faulty list is told, and nothing changes', async (t) => {
  const { admin } = await platform(t)
  const reply = await admin.put('/v1/packs/outgoing', { settings: { allow: 'http://ollama' } })
  t.match(reply, {
    status: 409,
    body: { error: { message: /OUTGOING_ALLOW: "http:\/\/ollama" is no host/ } }
  })
  t.match(await admin.put('/v1/packs/outgoing', { settings: { allow: '*' } }), { status: 200 })
  t.match(await admin.get('/v1/packs/outgoing'), { body: { data: { status: 'running' } } })
})

t.test('in production not everything can be allowed', async (t) => {
  const { platform: running } = await platform(t, { NODE_ENV: 'production', OUTGOING_ALLOW: '*' })
  const found = (await running.packs.list()).find(({ name }) => name === 'outgoing')
  t.match(found, { status: 'failed', reason: /OUTGOING_ALLOW: \* is for development/ })
})
