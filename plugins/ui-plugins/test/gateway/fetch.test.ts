import t from 'tap'
import { service } from '../../../../test/loopback.ts'
import { refuses, stage } from './testbed.ts'

const KEY = 'sk-very-secret-9f8e7d'
const api = await service(t, (reply, { path, headers, body }) => {
  const url = new URL(path, 'http://x')
  const to = (status: number, location: string) => reply.writeHead(status, { location }).end()
  if (url.pathname === '/json') reply.setHeader('content-type', 'application/json').end('{"sunny":true}')
  else if (url.pathname === '/echo')
    reply
      .writeHead(200, { 'x-key': String(headers.authorization ?? ''), 'set-cookie': 'a=b' })
      .end(JSON.stringify({ path, headers, body }))
  else if (url.pathname === '/bytes') reply.end(Buffer.from([0xff, 0xfe, 0x00]))
  else if (url.pathname === '/key-bytes')
    reply.end(Buffer.concat([Buffer.from([0xff]), Buffer.from(String(headers.authorization ?? ''))]))
  else if (url.pathname === '/large') reply.end('x'.repeat(5_000))
  else if (url.pathname === '/slow') reply.flushHeaders()
  else if (url.pathname === '/denied') reply.writeHead(401).end(`who is ${headers.authorization}?`)
  else if (url.pathname === '/away') to(302, `http://other.localhost:${api.port}/echo`)
  else if (url.pathname === '/stranger') to(302, `http://strange.localhost:${api.port}/echo`)
  else if (url.pathname === '/private') to(302, 'http://127.0.0.1:1/')
  else if (url.pathname === '/near') to(303, `/echo${url.search}`)
  else if (url.pathname === '/loop') to(302, '/loop')
  else reply.writeHead(404).end()
})
const { booted, probe, enable } = await stage(t, {
  packs: ['models', 'sessions', 'runs', 'tools'],
  env: {
    OUTGOING_ALLOW:
      'api.localhost,other.localhost,strange.localhost,one.parts.localhost,other.parts.localhost'
  }
})
const { as, admin } = booted
const [ada, eve] = [as('ada'), as('eve')]
const hosts = ['api.localhost', 'other.localhost', 'guarded.localhost'].map((host) => `${host}:${api.port}`)
const egress = hosts.map((host) => ({ host, reason: 'To be tested' }))
const connection = (key: string, auth: object) => ({ key, name: key, hosts: [hosts[0]], auth }) as never
const connections = [
  connection('bearer-key', { type: 'bearer' }),
  connection('header-key', { type: 'header', name: 'x-api-key' }),
  connection('query-key', { type: 'query', name: 'key' }),
  connection('host-key', { type: 'header', name: 'Host' })
]
const at = (path: string) => `http://${hosts[0]}${path}`
const echoed = (reply: { body: { data: { body: { text: string } } } }) =>
  JSON.parse(reply.body.data.body.text)

/** Servers of tests have no certificates. */
await admin.put('/v1/packs/ui-plugins', { settings: { httpEgress: true } })

t.test('an app talks to hosts that it declares and was granted', async (t) => {
  const app = await enable(
    ada,
    'fetching',
    {
      read: 'const reply = await context.fetch(input.url); return [reply.status, await reply.json()]',
      tries: 'try { await context.fetch(input.url) } catch ({ code, message }) { return { code, message } }'
    },
    { egress }
  )
  t.same((await app.call('read', { url: at('/json') })).body.data, [200, { sunny: true }])
  const sent = await app.ask('fetch', {
    url: at('/echo?a=1#part'),
    method: 'POST',
    headers: [
      ['X-Mine', 'yes'],
      ['content-type', 'text/plain']
    ],
    body: { text: 'hello' }
  })
  t.match(sent, { status: 200, body: { data: { status: 200, url: at('/echo?a=1') } } })
  t.match(echoed(sent), {
    path: '/echo?a=1',
    body: 'hello',
    headers: { 'x-mine': 'yes', 'user-agent': /fetching/ }
  })
  t.notOk(
    sent.body.data.headers.some(([name]: [string]) => name === 'set-cookie'),
    'no cookies'
  )
  t.match((await app.ask('fetch', { url: at('/bytes') })).body.data.body, { base64: '//4A' })
  t.match((await app.ask('fetch', { url: at('/nothing') })).body.data, { status: 404 })

  const refused = async (url: string, code: string, status = 403) =>
    t.match(await app.ask('fetch', { url }), refuses(status, code), url)
  await refused(`http://strange.localhost:${api.port}/`, 'host_not_granted')
  await refused('http://api.localhost:1/', 'host_not_granted')
  await refused(`http://127.0.0.1:${api.port}/`, 'host_not_granted')
  await refused(`http://[::1]:${api.port}/`, 'host_not_granted')
  await refused(`http://guarded.localhost:${api.port}/`, 'address_refused', 502)
  for (const url of [
    'file:///etc/passwd',
    'ftp://api.localhost/',
    'no address',
    at('/').replace('//', '//me:pw@')
  ])
    t.match(await app.ask('fetch', { url }), refuses(400, undefined, '/params/url'), url)
  const strange = { url: `http://strange.localhost:${api.port}/` }
  t.match((await app.call('tries', strange)).body.data, { code: 'host_not_granted' })
  for (const name of [
    'Host',
    'Cookie',
    'Connection',
    'X-Forwarded-For',
    'Proxy-Authorization',
    'Transfer-Encoding'
  ])
    t.match(
      await app.ask('fetch', { url: at('/echo'), headers: [[name, 'x']] }),
      refuses(403, 'header_refused'),
      name
    )
  const wrong = [['a\nb', 'x']]
  t.match(await app.ask('fetch', { url: at('/echo'), headers: wrong }), refuses(403, 'header_refused'))
  t.match(await app.ask('fetch', { url: at('/echo'), headers: [['a', 'x\r\ny: z']] }), refuses(400))
  t.match(
    await app.ask('fetch', { url: at('/echo'), method: 'TRACE' }),
    refuses(400, undefined, '/params/method')
  )
  t.match(
    await app.ask('fetch', { url: at('/'), body: { text: '' } }),
    refuses(400, undefined, '/params/body')
  )
  const base64 = { url: at('/'), method: 'PUT', body: { base64: '?' } }
  t.match(await app.ask('fetch', base64), refuses(400, undefined, '/params/body/base64'))

  await app.grants({ capabilities: [], hosts: [hosts[1]] })
  await refused(at('/json'), 'host_not_granted')
})

t.test('grants of hosts hold for functions and connections, also in the middle of a call', async (t) => {
  const wide = `*.parts.localhost:${api.port}`
  const [one, other] = ['one', 'other'].map((name) => `${name}.parts.localhost:${api.port}`) as [
    string,
    string
  ]
  const key = { key: 'wide-key', name: 'wide-key', hosts: [wide], auth: { type: 'bearer' } }
  const capabilities = [{ name: 'probe.act' }]
  const granting = (...hosts: readonly string[]) => ({ capabilities, hosts })
  const send = (init: string) =>
    `await context.fetch(input.url${init}).then(({ status }) => status, ({ code }) => code)`
  const plain = send('')
  const keyed = send(', { connection: "wide-key" }')
  const act = 'await context.platform.probe.act()'
  const app = await enable(
    ada,
    'narrowed-app',
    {
      go: `return [${plain}, ${keyed}]`,
      middle: `return [${plain}, ${keyed}, ${act}, ${plain}, ${keyed}]`
    },
    {
      egress: [{ host: wide, reason: 'To be tested' }],
      connections: [key as never],
      grants: granting(one)
    }
  )
  t.match(await ada.put(`${app.at}/connections/wide-key`, { value: KEY }), { status: 200 })
  const call = async (name: string, host: string) =>
    (await app.call(name, { url: `http://${host}/json` })).body.data
  t.same(await call('go', one), [200, 200])
  const before = api.asked.length
  t.same(
    await call('go', other),
    ['host_not_granted', 'host_not_granted'],
    'although manifest and key are for it'
  )
  t.equal(api.asked.length, before, 'nothing was sent')
  t.match(await app.grants(granting(one, other)), { status: 200 })
  t.same(await call('go', other), [200, 200])
  probe.act = async () => t.match(await app.grants(granting(one)), { status: 200 })
  const seen = api.asked.length
  t.same(await call('middle', other), [200, 200, true, 'host_not_granted', 'host_not_granted'])
  t.equal(api.asked.length, seen + 2)
  probe.act = async () => t.match(await app.grants(granting(one, other)), { status: 200 })
  t.same(await call('middle', other), ['host_not_granted', 'host_not_granted', true, 200, 200])
})

t.test('redirects are followed within what was granted', async (t) => {
  const app = await enable(ada, 'redirected', {}, { egress })
  const ask = (path: string, more: object = {}) => app.ask('fetch', { url: at(path), ...more })
  const away = await ask('/away', { headers: [['authorization', 'mine']] })
  t.match(away.body.data, { status: 200, url: `http://${hosts[1]}/echo` })
  t.notOk(echoed(away).headers.authorization, 'what could be a secret stays at its origin')
  t.match(await ask('/stranger'), refuses(403, 'host_not_granted'))
  t.match(await ask('/private'), refuses(403, 'host_not_granted'))
  t.match(await ask('/loop'), refuses(502, 'redirected'))
  t.match(await ask('/near', { redirect: 'error' }), refuses(502, 'redirected'))
  t.match((await ask('/near', { redirect: 'manual' })).body.data, { status: 303 })
})

t.test('bodies and time have caps', async (t) => {
  const settings = { fetchRequestBytes: 1_000, fetchReplyBytes: 4_000, fetchSeconds: 1 }
  t.equal((await admin.put('/v1/packs/ui-plugins', { settings })).status, 200)
  const app = await enable(ada, 'capped', {}, { egress })
  t.match(await app.ask('fetch', { url: at('/large') }), refuses(502, 'reply_too_large'))
  const large = { url: at('/echo'), method: 'POST', body: { text: 'x'.repeat(1_001) } }
  t.match(await app.ask('fetch', large), refuses(413, undefined, '/params/body'))
  t.match(await app.ask('fetch', { url: at('/slow') }), refuses(504))
  await admin.put('/v1/packs/ui-plugins', { settings: { httpEgress: false } })
  t.match(await app.ask('fetch', { url: at('/json') }), refuses(400, undefined, '/params/url'), 'https only')
  const back = { httpEgress: true, fetchRequestBytes: 524_288, fetchReplyBytes: 524_288, fetchSeconds: 15 }
  t.equal((await admin.put('/v1/packs/ui-plugins', { settings: back })).status, 200)
})

t.test('the key of a connection goes to its hosts, and is never seen', async (t) => {
  const app = await enable(
    ada,
    'connected',
    {
      ask: `const reply = await context.fetch(input.url, { connection: 'bearer-key' })
        const text = await reply.text()
        console.log(text, ...[...reply.headers].flat())
        return text`
    },
    { egress, connections }
  )
  const path = `${app.at}/connections`
  const ask = (path: string, connection = 'bearer-key') => app.ask('fetch', { url: at(path), connection })
  t.match((await ada.get(path)).body.data, [
    {
      key: 'bearer-key',
      status: 'missing',
      hosts: [hosts[0]],
      sentAs: 'bearer',
      required: false,
      lastUsedAt: null
    },
    ...[{}, {}, {}]
  ])
  t.match(await ask('/echo'), refuses(409, 'connection_missing'))
  t.match(await ask('/echo', 'unheard'), refuses(404, undefined, '/params/connection'))
  for (const { key } of connections as readonly { key: string }[])
    t.match(await ada.put(`${path}/${key}`, { value: KEY }), {
      status: 200,
      body: { data: { key, status: 'set' } }
    })

  const bearer = await ask('/echo')
  t.equal(api.asked.at(-1)?.headers.authorization, `Bearer ${KEY}`, 'the service gets it')
  t.match(echoed(bearer).headers.authorization, /redacted/)
  await ask('/echo', 'header-key')
  t.equal(api.asked.at(-1)?.headers['x-api-key'], KEY)
  const query = await ask('/near?key=mine&a=1', 'query-key')
  t.equal(new URL(api.asked.at(-1)?.path ?? '', 'http://x').searchParams.get('key'), KEY)
  t.match(query.body.data, { status: 200, url: at('/echo?a=1') })
  t.match(await ask('/echo', 'host-key'), refuses(403, 'header_refused'))
  const before = api.asked.length
  const other = { url: `http://${hosts[1]}/echo`, connection: 'bearer-key' }
  t.match(await app.ask('fetch', other), refuses(403, 'host_not_allowed'))
  t.equal(api.asked.length, before, 'nothing was sent')
  t.match(await ask('/away'), refuses(502, 'redirected'), 'nor is it taken elsewhere')
  t.match(await ask('/key-bytes'), refuses(502, 'key_in_reply'))
  t.match((await ask('/denied')).body.data, { status: 401, body: { text: 'who is Bearer [redacted]?' } })
  const asked = await app.call('ask', { url: at('/echo') })
  t.match(asked.body.data, /redacted/)

  const seen = await Promise.all([
    ...[bearer, query, asked].map(({ text }) => text),
    ...[path, `${app.at}/logs?limit=100`, app.at].map(async (at) => (await ada.get(at)).text),
    ...['connection', 'app_log', 'app_usage', 'app_version'].map(async (table) =>
      JSON.stringify(await booted.platform.knex(`ui_plugins.${table}`))
    ),
    booted.platform.knex('kernel.fact').then((rows) => JSON.stringify(rows))
  ])
  for (const text of seen) {
    t.notOk(text.includes(KEY), `not in ${text.slice(0, 60)}`)
    t.notOk(text.includes(Buffer.from(KEY).toString('base64').slice(0, 16)))
  }
  const sealed = await booted.platform
    .knex('ui_plugins.connection')
    .where({ key: 'bearer-key' })
    .first('sealed')
  t.match(sealed?.sealed, /^v1\./)
})

t.test('a connection says how it stands; only who manages the app sets it', async (t) => {
  const app = await enable(ada, 'managed', {}, { egress, connections, audience: 'project' })
  const path = `${app.at}/connections`
  const put = (body: object, by = ada, key = 'bearer-key') => by.put(`${path}/${key}`, body)
  t.match(await put({ value: KEY }, eve), refuses(403, 'not_owner'))
  t.match(await put({ value: KEY }, as('bot', { type: 'agent', owner: 'ada' })), refuses(403))
  t.match(await put({ value: KEY }, ada, 'unheard'), refuses(404))
  t.match(await ada.put('/v1/ui-plugins/unheard-of/connections/a', { value: KEY }), refuses(404))
  t.match(await put({ value: 'short' }), refuses(400, undefined, '/value'))
  t.match(await put({ value: 'with\nline end' }), refuses(400, undefined, '/value'))
  t.match(await put({}), refuses(400))
  t.match(await put({ value: KEY, more: 1 }), refuses(400, undefined, '/more'))
  t.match(await put({ enabled: true }), refuses(400, 'value_required', '/value'))
  t.match(await put({ enabled: false }), { body: { data: { status: 'off' } } }, 'before there is a key')
  t.match(await put({ value: KEY }), { body: { data: { status: 'set' } } })
  t.match(await ada.get(`${path}?cursor=made-up`), refuses(400, undefined, 'cursor'))
  t.match((await eve.get(path)).body.data[0], { status: 'set' }, 'who may use it sees how it stands')
  t.match(await as('zoe', { project: 'elsewhere' }).get(path), refuses(404))

  const fetch = () => app.ask('fetch', { url: at('/denied'), connection: 'bearer-key' }, eve)
  t.match(await fetch(), { body: { data: { status: 401 } } })
  t.match((await ada.get(path)).body.data[0], {
    lastFailure: 'status 401',
    lastFailedAt: /^20/,
    lastUsedAt: /^20/
  })
  await put({ enabled: false })
  t.match(await fetch(), refuses(409, 'connection_off'))
  t.match(await put({ enabled: true }), { body: { data: { status: 'set' } } }, 'it kept its key')
  t.match(await fetch(), { status: 200 })
  t.equal((await admin.put(`${path}/bearer-key`, { enabled: false })).status, 200, 'a maintainer may')

  t.equal((await ada.delete(app.at)).status, 200)
  const left = await booted.platform.knex('ui_plugins.connection').where({ appId: app.id })
  t.same(left, [], 'keys go with the app')
})
