import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { json, service } from '../../../test/loopback.ts'
import type { Call, InjectedKey, ToolKind } from '../contract.ts'
import { createRedactor } from '../redaction/redactor.ts'

let answer: Parameters<typeof service>[1] = (reply, { method, path, body }) =>
  json(reply, 200, { method, path, body })
const echo = answer
const api = await service(t, (reply, asked) => answer(reply, asked))
const elsewhere = await service(t, (reply) => json(reply, 200, 'elsewhere'))
const booted = await boot(t, 'outgoing', 'models', 'sessions', 'jobs', 'runs', 'tools', {
  env: { OUTGOING_ALLOW: '127.0.0.1' }
})
const ada = booted.as('ada')
const kind = booted.platform.server.current().packs.get('tools')?.deps.httpKind as ToolKind

const SECRET = 'sk-live-"0123456789'
const keyFor = (fields: Partial<InjectedKey> = {}): InjectedKey => ({
  keyId: 'tkey_1',
  in: 'header',
  name: 'x-api-key',
  allowedHosts: [api.host],
  value: SECRET,
  ...fields
})
const properties = (names: string) => Object.fromEntries(names.split(' ').map((name) => [name, {}]))

interface Order {
  readonly config: object
  readonly args?: Call['args']
  readonly keys?: readonly InjectedKey[]
  readonly idempotent?: boolean
  readonly signal?: AbortSignal
}

function call({ config, args = {}, keys = [], idempotent = false, signal }: Order) {
  const by = { project: 'default', id: 'ada', owner: 'ada', type: 'user' } as Call['by']
  const tool = { id: 'tool_1', name: 'tool', project: 'default', owner: 'ada', idempotent }
  const about = { id: 'call_1', by, agentId: 'agent_1', args, depth: 0, untrusted: false }
  const { add, redactInTurns } = createRedactor(keys.map(({ value }) => value))
  return kind.call(
    { ...tool, config: { method: 'GET', url: api.url, ...config } },
    {
      ...about,
      signal: signal ?? new AbortController().signal,
      secret: add,
      redact: redactInTurns,
      progress: () => undefined,
      ask: async () => ({ action: 'decline' }),
      used: () => undefined
    },
    keys
  )
}
const last = () => api.asked.at(-1)
t.beforeEach(() => {
  answer = echo
})

t.test('arguments stand in the path, the query, headers and the body', async (t) => {
  const config = {
    method: 'POST',
    url: `${api.url}/v1/{{a}}/to-{{b}}?fixed=1`,
    query: { q: '{{q}}', list: '{{list}}', n: 5, none: '{{none}}', nil: '{{nil}}' },
    headers: { 'x-lang': '{{lang}}-x', 'x-none': '{{none}}' },
    body: {
      text: 'Hi {{a}}',
      typed: '{{typed}}',
      none: '{{none}}',
      deep: [{ q: '{{q}}' }, '{{none}}'],
      no: null
    }
  }
  const args = {
    a: 'x/../y ?#ä',
    b: 7,
    q: 'a&b=c',
    list: ['1', 2],
    lang: 'de',
    typed: { x: [1] },
    nil: null
  }
  const { output } = await call({ config, args })
  t.match(output, { method: 'POST' })
  t.match(last(), {
    path: '/v1/x%2F..%2Fy%20%3F%23%C3%A4/to-7?fixed=1&q=a%26b%3Dc&list=1&list=2&n=5',
    headers: { 'x-lang': 'de-x', 'content-type': 'application/json', 'user-agent': /^agent-platform\// }
  })
  t.notOk(last()?.headers['x-none'])
  t.same(JSON.parse(last()?.body ?? ''), {
    text: 'Hi x/../y ?#ä',
    typed: { x: [1] },
    deep: [{ q: 'a&b=c' }],
    no: null
  })
  await call({ config: { method: 'PUT', body: '{{typed}}' }, args })
  t.same(JSON.parse(last()?.body ?? ''), { x: [1] })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  await call({ config: { method: 'POST', headers: form, body: { a: '{{q}}', b: '{{list}}' } }, args })
  t.equal(last()?.body, 'a=a%26b%3Dc&b=1&b=2')
})

t.test('no argument leads to another address, another header or another message', async (t) => {
  const before = api.asked.length
  const path = { url: `${api.url}/a/{{x}}/b` }
  for (const x of ['..', '.', '%2e%2e', '']) {
    const made = await call({ config: path, args: { x } })
    // What is encoded once more is a name like any other.
    if (x !== '%2e%2e') t.match(made, { isError: true }, JSON.stringify(x))
  }
  t.match(await call({ config: { url: `${api.url}/{{x}}{{y}}/b` }, args: { x: '.', y: '.' } }), {
    isError: true
  })
  t.match(await call({ config: { url: `${api.url}/%2{{x}}./b` }, args: { x: 'e' } }), { isError: true })
  t.match(await call({ config: path }), { isError: true, output: /missing/ })
  const header = { headers: { 'x-a': 'a{{x}}' } }
  for (const x of ['\r\nx-b: 1', '\n', '\0', 'ü\u{1f600}'])
    t.match(await call({ config: header, args: { x } }), { isError: true, output: /x-a/ })
  t.match(await call({ config: path, args: { x: '\ud800' } }), { output: { path: '/a/%EF%BF%BD/b' } })
  t.same(
    api.asked.slice(before).map(({ path }) => path),
    ['/a/%252e%252e/b', '/a/%EF%BF%BD/b']
  )
})

t.test('a reply is JSON, text, or told by its kind', async (t) => {
  const replies: [string, string | Buffer, unknown][] = [
    ['application/problem+json; charset=utf-8', '{"a":[1]}', { a: [1] }],
    ['application/json', '{"a":', '{"a":'],
    ['text/plain; charset=iso-8859-1', Buffer.from([0xe4]), 'ä'],
    ['text/plain; charset=nonsense', 'a', 'a'],
    ['image/png', Buffer.alloc(7), { contentType: 'image/png', bytes: 7 }],
    ['application/json', '', { status: 200 }],
    ['application/json', '['.repeat(5_000) + ']'.repeat(5_000), '['.repeat(5_000) + ']'.repeat(5_000)]
  ]
  for (const [type, body, output] of replies) {
    answer = (reply) => reply.writeHead(200, { 'content-type': type }).end(body)
    t.same(await call({ config: {} }), { output }, type)
  }
  answer = (reply) => json(reply, 200, { data: { 'a/b': [{ x: 1 }] } })
  const pick = (pointer: string) => call({ config: { response: { pointer } } })
  t.same(await pick('/data/a~1b/0'), { output: { x: 1 } })
  t.same(await pick(''), { output: { data: { 'a/b': [{ x: 1 }] } } })
  t.match(await pick('/data/none/0'), { isError: true })
  t.match(await pick('/constructor'), { isError: true })
  answer = (reply) => reply.writeHead(204).end()
  t.same(await call({ config: { method: 'DELETE' } }), { output: { status: 204 } })
})

t.test('a refusal is an error with what was said', async (t) => {
  answer = (reply) => json(reply, 422, { message: 'no such city' })
  t.same(await call({ config: {} }), {
    output: { status: 422, body: { message: 'no such city' } },
    isError: true
  })
  answer = (reply) => reply.writeHead(500, { 'content-type': 'text/html' }).end('x'.repeat(10_000))
  const { output } = await call({ config: {} })
  t.equal((output as { body: string }).body.length, 2_001)
})

t.test('only an idempotent tool tells its service what call it is, and is tried again', async (t) => {
  await call({ config: { method: 'POST' }, idempotent: true })
  t.equal(last()?.headers['idempotency-key'], 'call_1')
  await call({ config: {}, idempotent: true })
  t.notOk(last()?.headers['idempotency-key'], 'reading needs none')
  await call({ config: { method: 'POST' } })
  t.notOk(last()?.headers['idempotency-key'])
  answer = (reply) => json(reply, 503, 'later')
  await t.rejects(call({ config: {}, idempotent: true }), { kind: 'upstream', message: /503: "later"/ })
  t.match(await call({ config: {} }), { isError: true, output: { status: 503 } })
})

t.test('a service that does not answer costs its call', async (t) => {
  answer = () => undefined
  await t.rejects(call({ config: { timeoutSeconds: 1 } }), { kind: 'upstreamTimeout', code: undefined })
  const stop = new AbortController()
  const reason = new Error('given up')
  answer = () => stop.abort(reason)
  await t.rejects(call({ config: {}, signal: stop.signal }), reason)
  await t.rejects(call({ config: { url: 'http://10.0.0.1/' } }), {
    kind: 'upstream',
    code: 'address_refused'
  })
  answer = (reply) =>
    reply.writeHead(200, { 'content-type': 'text/plain' }).end(Buffer.alloc(11_000_000, 'x'))
  await t.rejects(call({ config: {} }), { kind: 'upstream', code: 'reply_too_large' })
})

t.test('keys stand where they were mapped', async (t) => {
  const places = [keyFor(), keyFor({ in: 'query', name: 'key' }), keyFor({ in: 'body', name: 'token' })]
  const config = { method: 'POST', headers: { 'X-Api-Key': 'literal' }, query: { key: 'literal' } }
  await call({ config: { ...config, body: { token: 'literal', a: 1 } }, keys: places })
  t.match(last(), { headers: { 'x-api-key': SECRET }, path: `/?key=${encodeURIComponent(SECRET)}` })
  t.same(JSON.parse(last()?.body ?? ''), { token: SECRET, a: 1 })
  await call({ config: { method: 'POST' }, keys: places.slice(2) })
  t.same(JSON.parse(last()?.body ?? ''), { token: SECRET })

  const authorization = (value: string) => keyFor({ name: 'Authorization', value })
  await call({ config: {}, keys: [authorization('abcdefgh')] })
  t.equal(last()?.headers.authorization, 'Bearer abcdefgh')
  await call({ config: {}, keys: [authorization('Basic abcdefgh')] })
  t.equal(last()?.headers.authorization, 'Basic abcdefgh')

  const before = api.asked.length
  t.match(await call({ config: {}, keys: places.slice(2) }), { isError: true, output: /no body/ })
  t.match(await call({ config: { method: 'POST', body: [1] }, keys: places.slice(2) }), { isError: true })
  t.equal(api.asked.length, before)
})

t.test('keys go to their hosts and nowhere else', async (t) => {
  const before = api.asked.length
  for (const allowedHosts of [[], ['127.0.0.1'], ['127.0.0.1:1'], ['api.example.com']])
    await t.rejects(call({ config: {}, keys: [keyFor(), keyFor({ allowedHosts })] }), {
      kind: 'forbidden',
      code: 'host_not_allowed'
    })
  t.equal(api.asked.length, before, 'nothing was sent')
  answer = (reply) => reply.writeHead(307, { location: elsewhere.url }).end()
  await t.rejects(call({ config: {}, keys: [keyFor()] }), { kind: 'upstream', code: 'redirected' })
  t.equal(elsewhere.asked.length, 0)
  t.same(await call({ config: {} }), { output: 'elsewhere' }, 'without a key a redirect is followed')
})

t.test('what is no request is refused when it is registered', async (t) => {
  const wrong: [string, object, string?][] = [
    ['/config/method', { method: 'TRACE' }],
    ['/config/method', { method: undefined }],
    ['/config/url', { url: 'https://{{a}}.example.com/' }],
    ['/config/url', { url: '{{a}}' }],
    ['/config/url', { url: 'ftp://example.com' }],
    ['/config/url', { url: 'https://api.example.com/?q={{a}}' }],
    ['/config/url', { url: 'https://api.example.com/{{b}}' }],
    ['/config/url', { url: 'https://api.example.com/{{a}}', query: { b: '{{b}}' } }, 'b'],
    ['/config/url', { url: 'https://ada:secret@example.com/' }],
    ['/config/url', { url: 'http://169.254.169.254/latest' }],
    ['/config/url', { url: 'http://10.0.0.1/' }],
    ['/config/headers/host', { headers: { host: 'x' } }],
    ['/config/headers/a b', { headers: { 'a b': 'x' } }],
    ['/config/headers/Authorization', { headers: { Authorization: 'Bearer x' } }],
    ['/config/headers/x-a', { headers: { 'x-a': 'a\r\nb' } }],
    ['/config/headers', { headers: { 'x-a': '{{b}}' } }],
    ['/config/query/q', { query: { q: {} } }],
    ['/config/body', { body: {} }],
    ['/config/timeoutSeconds', { timeoutSeconds: 0 }],
    ['/config/response/pointer', { response: { pointer: 'x' } }],
    ['/config/retries', { retries: 1 }],
    ['/parameters/properties/a', {}]
  ]
  for (const [param, config, optional = ''] of wrong) {
    const parameters = { type: 'object', properties: properties(`a ${optional}`.trim()) }
    const body = { name: 'wrong', description: 'x', parameters }
    const reply = await ada.post('/v1/tools', {
      ...body,
      config: { method: 'GET', url: 'https://api.example.com/', ...config }
    })
    t.match(reply, { status: 400, body: { error: { param } } }, JSON.stringify(config))
  }
})

t.test('a changed config is looked at with the parameters as they are then', async (t) => {
  const parameters = { type: 'object', properties: properties('a'), required: ['a'] }
  const config = { method: 'GET', url: `${api.url}/{{a}}` }
  const { body } = await ada.post('/v1/tools', { name: 'changing', description: 'x', parameters, config })
  const path = `/v1/tools/${body.data.id}`
  t.match(await ada.put(path, { config: { ...config, url: `${api.url}/{{b}}` } }), {
    status: 400,
    body: { error: { param: '/config/url' } }
  })
  t.match(await ada.put(path, { parameters: { type: 'object' } }), { status: 400 })
  const both = { parameters: { ...parameters, required: ['b'], properties: properties('b') } }
  t.match(await ada.put(path, { ...both, config: { ...config, url: `${api.url}/{{b}}` } }), { status: 200 })
})
