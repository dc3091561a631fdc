import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { createHttpFetch } from '../tools/http-fetch.ts'
import { calling, crew, local } from './testbed.ts'

const seen: IncomingMessage[] = []
const pages: Record<string, (response: ServerResponse, request: IncomingMessage) => unknown> = {
  '/page': (r) => r.setHeader('content-type', 'text/html; charset=utf-8').end(page),
  '/json': (r) => r.setHeader('content-type', 'application/problem+json').end('{"a": [1, 2]}'),
  '/latin': (r) =>
    r.setHeader('content-type', 'text/plain; charset=iso-8859-1').end(Buffer.from([0xe9, 0x74, 0xe9])),
  '/strange': (r) => r.setHeader('content-type', 'text/plain; charset=nonsense').end('plain'),
  '/picture': (r) => r.setHeader('content-type', 'image/png').end(Buffer.alloc(100)),
  '/nameless': (r) => r.end('just text'),
  '/binary': (r) => r.end(Buffer.from([1, 0, 2])),
  '/missing': (r) => r.writeHead(404, { 'content-type': 'text/plain' }).end('No such page'),
  '/empty': (r) => r.writeHead(204).end(),
  '/long': (r) => r.setHeader('content-type', 'text/plain').end('0123456789'.repeat(10_000)),
  '/moved': (r) => r.writeHead(302, { location: '/json' }).end(),
  '/inside': (r) => r.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
  '/endless': (r) => {
    r.setHeader('content-type', 'text/plain')
    const write = (): unknown => (r.destroyed ? undefined : r.write('x'.repeat(65_536), write))
    write()
  },
  '/silent': () => undefined
}
const page = `<!DOCTYPE html><html><head><title>A &amp; B</title><style>p { color: red }</style></head><body>
<!-- hidden --><h1>Head&shy;line</h1><p>One <b>two</b>
three &lt;tag&gt; &#8364; &#x41;</p><script>alert("</p>")</script>
<ul><li>first<li><a href="/json?a=1&amp;b=2">second</a></ul><pre>  kept
    as is</pre><a href="javascript:alert(1)">no link</a></body></html>`

const server = createServer((request, response) => {
  seen.push(request)
  pages[request.url ?? '']?.(response, request)
}).listen(0, '127.0.0.1')
await once(server, 'listening')
t.teardown(() => server.close().closeAllConnections())
const { port } = server.address() as AddressInfo
const at = (path: string) => `http://127.0.0.1:${port}${path}`

const { deps, ada } = await crew(t, { env: { OUTGOING_ALLOW: `127.0.0.1:${port}` } })
const { settings } = deps
const fetch = calling(createHttpFetch(deps))

t.test('a page is read as text', async (t) => {
  const { output, isError } = await fetch({ url: at('/page') })
  t.notOk(isError)
  t.match(output, { url: at('/page'), status: 200, title: 'A & B' })
  t.equal(
    (output as { text: string }).text,
    [
      '# Head&shy;line',
      '',
      'One two three <tag> € A',
      '',
      '- first',
      `- second (${at('/json?a=1&b=2')})`,
      '',
      '  kept',
      '    as is',
      'no link'
    ].join('\n')
  )
  t.match((await fetch({ url: at('/page'), raw: true })).output, { text: page })
})

t.test('other text comes as it is', async (t) => {
  t.match((await fetch({ url: at('/json') })).output, { text: '{"a": [1, 2]}', contentType: /problem/ })
  t.match((await fetch({ url: at('/latin') })).output, { text: 'été' })
  t.match((await fetch({ url: at('/strange') })).output, { text: 'plain' })
  t.match((await fetch({ url: at('/nameless') })).output, { text: 'just text', contentType: null })
  t.match(await fetch({ url: at('/empty') }), { output: { status: 204, text: '' } })
  t.match((await fetch({ url: at('/moved') })).output, { url: at('/json'), status: 200 })
})

t.test('HEAD reads nothing', async (t) => {
  t.match(await fetch({ url: at('/page'), method: 'HEAD' }), {
    output: { status: 200, contentType: /html/, etag: null }
  })
  t.equal(seen.at(-1)?.method, 'HEAD')
})

t.test('of the headers a few are sent, and no credential', async (t) => {
  await fetch({ url: at('/json'), headers: { 'accept-language': 'it' } })
  const { headers } = seen.at(-1) as IncomingMessage
  t.match(headers, { 'accept-language': 'it', 'user-agent': 'agent-platform' })
  t.notOk(headers.authorization ?? headers.cookie)
})

t.test('long texts are read piece by piece', async (t) => {
  const { output } = await fetch({ url: at('/long'), maxCharacters: 15 })
  t.match(output, { text: '012345678901234', characters: 100_000, nextOffset: 15 })
  t.match((await fetch({ url: at('/long'), offset: 15, maxCharacters: 5 })).output, { text: '56789' })
  const last = (await fetch({ url: at('/long'), offset: 99_999 })).output
  t.match(last, { text: '9' })
  t.notOk(Object.hasOwn(last as object, 'nextOffset'))
  t.match((await fetch({ url: at('/long'), offset: 1_000_000 })).output, { text: '' })
})

t.test('what does not end is cut, and its connection closed', async (t) => {
  const { output } = await fetch({ url: at('/endless'), maxCharacters: 1 })
  t.match(output, { characters: settings.fetchBytes, cut: true, text: 'x' })
  const { socket } = seen.at(-1) as IncomingMessage
  if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve))
  t.ok(socket.destroyed)
})

t.test('what cannot be read is said', async (t) => {
  t.match(await fetch({ url: at('/picture') }), {
    isError: true,
    output: /200 with image\/png, which is no text/
  })
  t.match(await fetch({ url: at('/binary') }), { isError: true, output: /no text/ })
  t.match(await fetch({ url: at('/missing') }), {
    isError: true,
    output: { status: 404, text: 'No such page' }
  })
})

t.test('nothing but public addresses is reached', async (t) => {
  const before = seen.length
  for (const url of [
    'http://localhost:1/',
    'http://10.0.0.1/',
    'http://[::1]/',
    'http://0x7f000001/',
    'http://169.254.169.254/',
    'file:///etc/passwd',
    'ftp://example.org/',
    'javascript:alert(1)',
    'http://user:secret@example.org/',
    'nonsense'
  ])
    await t.rejects(fetch({ url }), { kind: 'invalid', message: /^url must/ }, url)
  t.equal(seen.length, before)
  await t.rejects(fetch({ url: at('/inside') }), { kind: 'upstream', code: 'address_refused' })
})

t.test('a call that is given up, or takes too long, ends', async (t) => {
  const leave = new AbortController()
  const asked = once(server, 'request')
  const left = fetch({ url: at('/silent') }, { signal: leave.signal })
  await asked
  leave.abort(new Error('left'))
  await t.rejects(left, { message: 'left' })
  const hasty = calling(createHttpFetch({ ...deps, settings: { ...settings, fetchSeconds: 0.05 } }))
  await t.rejects(hasty({ url: at('/silent') }), { message: /did not answer in time/ })
})

t.test('agents have it, and are told what was wrong', async (t) => {
  const agent = await ada.agent(local)
  await ada.post(`/v1/agents/${agent.id}/tools`, { toolId: 'http_fetch' })
  const call = (args: object) =>
    ada.post('/v1/agents/tools', { agentId: agent.id, toolName: 'http_fetch', args })
  t.match(await call({ url: at('/json') }), {
    status: 200,
    body: { data: { isError: false, output: { status: 200 } } }
  })
  t.match(await call({ url: 'http://10.0.0.1/' }), {
    body: { data: { isError: true, output: 'url must be a public address' } }
  })
  for (const args of [
    {},
    { url: '' },
    { url: 5 },
    { url: 'x', method: 'POST' },
    { url: 'x', headers: { cookie: 'a' } }
  ])
    t.match(await call(args), { status: 400, body: { error: { param: '/args' } } }, JSON.stringify(args))
})
