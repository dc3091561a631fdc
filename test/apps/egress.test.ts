// budget: 5 s, because an app runs in a process of its own
import t from 'tap'
import { refuses, stage } from '../../plugins/ui-plugins/test/gateway/testbed.ts'
import { appOf } from '../../plugins/ui-plugins/test/testbed.ts'
import { service } from '../loopback.ts'

const KEY = 'sk-never-to-be-seen-4711'
const lines: string[] = []
const api = await service(t, (reply, { path, headers }) => {
  const url = new URL(path, 'http://x')
  const to = url.searchParams.get('to')
  const said = String(headers.authorization ?? headers['x-api-key'] ?? url.searchParams.get('key') ?? '')
  if (to !== null) reply.writeHead(302, { location: to }).end()
  else if (url.pathname === '/tells')
    reply
      .writeHead(200, said, {
        'x-plain': said,
        'x-base64': Buffer.from(said).toString('base64'),
        'x-hex': Buffer.from(said).toString('hex'),
        link: `<http://x/?k=${encodeURIComponent(said)}>`
      })
      .end(
        JSON.stringify({
          said,
          twice: said + said,
          [said]: 1,
          base64: Buffer.from(KEY).toString('base64'),
          escaped: said.replaceAll('-', '\\u002d')
        })
      )
  else if (url.pathname === '/cuts') reply.destroy()
  else reply.end('fine')
})
const { booted, enable } = await stage(t, {
  packs: ['models', 'sessions', 'runs', 'tools'],
  env: { OUTGOING_ALLOW: 'api.localhost' },
  log: (line) => lines.push(JSON.stringify(line))
})
const ada = booted.as('ada')
const host = `api.localhost:${api.port}`
const egress = [host, `*.b.localhost:${api.port}`, `private.localhost:${api.port}`].map((host) => ({
  host,
  reason: 'To be tested'
}))
await booted.admin.put('/v1/packs/ui-plugins', { settings: { httpEgress: true } })

t.test('no spelling of a private host is one that was granted', async (t) => {
  const functions = {
    go: `try { return (await context.fetch(input.url, input.init)).status } catch ({ code, name }) { return code ?? name }`
  }
  const app = await enable(ada, 'roams-app', functions, { egress })
  const go = async (url: string, init: object = {}) => (await app.call('go', { url, init })).body.data
  const at = (name: string, rest = '/') => `http://${name}:${api.port}${rest}`
  t.equal(await go(at('api.localhost')), 200)
  const before = api.asked.length
  for (const name of [
    '127.0.0.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.1',
    '0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[fe80::1]',
    '①②⑦.0.0.1',
    'localhost',
    'evil.example',
    '169.254.169.254',
    'metadata.google.internal',
    'api.localhost.evil.example',
    'xn--api-.localhost.example'
  ])
    t.match(await go(at(name)), /^(?:host_not_granted|invalid_request_error|TypeError)$/, name)
  for (const name of [
    'private.localhost',
    'a.b.localhost',
    'c.a.b.localhost',
    'PRIVATE.localhost',
    'private.localhost.'
  ])
    t.equal(await go(at(name)), 'address_refused', `${name} leads to a private address`)
  for (const url of [
    at('api.localhost').replace('//', '//u:p@'),
    `http://api.localhost@127.0.0.1:${api.port}/`,
    `http://127.0.0.1:${api.port}\\@api.localhost/`,
    'file:///etc/passwd',
    'data:text/plain,x',
    'ws://api.localhost/',
    'blob:x',
    'javascript:1',
    '//api.localhost',
    ''
  ])
    t.match(await go(url), /^(?:invalid_request_error|host_not_granted|TypeError)$/, JSON.stringify(url))
  for (const port of [1, 22, 80, 443, 5432, 6379, 65_535])
    t.equal(await go(`http://api.localhost:${port}/`), 'host_not_granted', String(port))
  t.equal(api.asked.length, before, 'nothing was sent')
  for (const to of [
    'http://127.0.0.1:1/',
    'http://[::1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://2130706433/',
    'file:///etc/passwd',
    `http://u:p@${host}/`,
    '//evil.example/',
    `http://private.localhost:${api.port}/`,
    'gopher://x/'
  ])
    t.match(
      await go(at('api.localhost', `/?to=${encodeURIComponent(to)}`)),
      /^(?:host_not_granted|address_refused|redirected|invalid_request_error)$/,
      `a redirect to ${to}`
    )
})

t.test('no manifest asks for an address, or for everything', async (t) => {
  for (const host of [
    '*',
    '*.*',
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '[::1]',
    'http://a.example',
    'a.example/',
    'u@a.example',
    'localhost',
    'a..example',
    'A.example',
    'ä.example',
    'a.example:0',
    'a.example:65536',
    'a*.example',
    '\u202ea.example'
  ])
    t.match(
      await ada.put('/v1/ui-plugins', appOf({ id: 'asks-app', egress: [{ host, reason: 'x' }] })),
      refuses(400, undefined, '/manifest/egress/0/host'),
      host
    )
  const connections = [{ key: 'a', name: 'A', hosts: ['b.example'], auth: { type: 'bearer' as const } }]
  t.match(
    await ada.put('/v1/ui-plugins', appOf({ id: 'asks-app', connections })),
    refuses(400, undefined, '/manifest/connections/0/hosts/0')
  )
})

t.test('a key is nowhere to be found, however the service says it again', async (t) => {
  const connections = (['bearer', 'header', 'query'] as const).map((type) => {
    const auth = { type, ...(type !== 'bearer' && { name: type === 'query' ? 'key' : 'x-api-key' }) }
    return { key: type, name: type, hosts: [host], auth }
  })
  const functions = {
    go: `const seen = []
      for (const [path, init] of input.tries) {
        try {
          const reply = await context.fetch(path, init)
          seen.push(reply.url, reply.status, reply.statusText, [...reply.headers], await reply.text())
        } catch (error) { seen.push(error.message, error.stack, Object.entries(error)) }
      }
      console.log(JSON.stringify(seen))
      throw new Error(JSON.stringify(seen).slice(0, 900))`
  }
  const app = await enable(ada, 'thief-app', functions, { egress, connections })
  for (const { key } of connections)
    t.equal((await ada.put(`${app.at}/connections/${key}`, { value: KEY })).status, 200)
  const replies: string[] = []
  for (const { key: connection } of connections) {
    const tries = [
      '/tells',
      '/cuts',
      '/?to=/tells',
      '/?to=http://evil.example/',
      `/?to=${encodeURIComponent(`http://127.0.0.1:${api.port}/`)}`
    ].map((rest) => [`http://${host}${rest}`, { connection }])
    replies.push((await app.call('go', { tries })).text)
    for (const [url] of tries) replies.push((await app.ask('fetch', { url, connection })).text)
  }
  t.ok(
    api.asked.some(({ headers }) => headers.authorization === `Bearer ${KEY}`),
    'the service has it'
  )
  await booted.settled()
  const tables = await booted.platform
    .knex('information_schema.tables')
    .where({ table_type: 'BASE TABLE' })
    .whereNotIn('table_schema', ['pg_catalog', 'information_schema'])
    .select({ schema: 'table_schema', name: 'table_name' })
  t.ok(tables.length > 30)
  replies.push(
    ...(await Promise.all(
      ['', '/connections', '/logs?limit=100', '/usage', '/versions'].map(
        async (rest) => (await ada.get(app.at + rest)).text
      )
    ))
  )
  for (const { schema, name } of tables)
    replies.push(JSON.stringify(await booted.platform.knex.withSchema(schema).from(name)))
  replies.push(...lines)
  const forms = [
    KEY,
    encodeURIComponent(KEY),
    Buffer.from(KEY).toString('base64').slice(0, 24),
    Buffer.from(`Bearer ${KEY}`).toString('base64').slice(8, 32),
    Buffer.from(KEY).toString('hex'),
    KEY.replaceAll('-', '\\u002d')
  ]
  for (const form of forms)
    t.same(
      replies.filter((text) => text.includes(form)).map((text) => text.slice(0, 400)),
      [],
      form
    )
})
