import type { ServerResponse } from 'node:http'
import { createClient } from 'agent-platform-client'
import t from 'tap'
import type { Asked } from './testbed.ts'
import { failing, little } from './testbed.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}
type Answer = (response: ServerResponse) => unknown

const body = { name: 'Ada' }
const json = { 'content-type': 'application/json' }
const refuse = (status: number, headers: object, code?: string): Answer => {
  const error = { type: 'rate_limit_error', message: 'Not now', requestId: 'req_1', code }
  return (response) => response.writeHead(status, { ...json, ...headers }).end(JSON.stringify({ error }))
}
const well: Answer = (response) => response.writeHead(200, json).end('{"data":{"id":"agent_1"}}')
const cut: Answer = (response) => {
  response.writeHead(200, { ...json, 'content-length': '100' })
  response.write('{"data":', () => response.destroy())
}
const now = { 'retry-after': '0' }

/** A server that gives these answers in turn, and a client of it. */
async function answering(t: Scope, answers: readonly Answer[], retries?: number) {
  const { url, asked } = await little(t, (_asked, number, _, response) =>
    (answers[number - 1] ?? well)(response)
  )
  return { asked, platform: createClient({ baseUrl: url, apiKey: 'ap_test_key', retries }) }
}
const keysOf = (asked: readonly Asked[]) => new Set(asked.map(({ headers }) => headers['idempotency-key']))
const waited = ([first, second]: readonly Asked[]) => (second?.at ?? 0) - (first?.at ?? 0)

t.test('Retry-After is waited for, in seconds or until a date', async (t) => {
  const at = Date.now() - 86_400_000
  const dates = { date: new Date(at).toUTCString(), 'retry-after': new Date(at + 1_000).toUTCString() }
  for (const [status, headers] of [
    [429, { 'retry-after': '1' }],
    [503, { 'retry-after': '1' }],
    [429, dates]
  ] as const) {
    const { asked, platform } = await answering(t, [refuse(status, headers)])
    t.match(await platform.get('/v1/agents'), { data: { id: 'agent_1' } })
    t.equal(asked.length, 2)
    // Timers may fire a little early.
    t.ok(waited(asked) > 990, `${waited(asked)}`)
  }
})

t.test('a server that asks for too long a time is not waited for', async (t) => {
  const { asked, platform } = await answering(t, [refuse(429, { 'retry-after': '31' })])
  await t.rejects(platform.get('/v1/agents'), failing({ status: 429, retryAfter: 31, requestId: 'req_1' }))
  t.equal(asked.length, 1)
})

t.test('what may be repeated is, with one key, and as often as is said', async (t) => {
  const path = { agentId: 'agent_1' }
  for (const [answer, name] of [
    [refuse(429, now), '429'],
    [refuse(503, now), '503'],
    [refuse(503, now, 'starting'), 'starting'],
    [(response: ServerResponse) => response.writeHead(502).end('<h1>Bad gateway</h1>'), 'a proxy'],
    [(response: ServerResponse) => response.destroy(), 'destroyed'],
    [cut, 'cut']
  ] as const) {
    const { asked, platform } = await answering(t, [answer, answer])
    t.match(await platform.post('/v1/agents', { body }), { data: { id: 'agent_1' } }, name)
    t.equal(asked.length, 3)
    t.match([...keysOf(asked)], [/^[0-9a-f]{32}$/])
    for (const one of asked) t.match(one, { method: 'POST', body: '{"name":"Ada"}' })
  }
  const four = Array<Answer>(4).fill(refuse(503, now))
  for (const [retries, requests] of [
    [0, 1],
    [undefined, 3]
  ]) {
    const { asked, platform } = await answering(t, four, retries)
    await t.rejects(platform.get('/v1/agents'), failing({ status: 503 }))
    t.equal(asked.length, requests)
  }
  const { asked, platform } = await answering(t, [refuse(503, now), well, refuse(503, now)])
  await platform.put('/v1/agents/{agentId}', { params: { path }, body })
  await platform.delete('/v1/agents/{agentId}', { params: { path } })
  t.same(
    asked.map(({ method }) => method),
    ['PUT', 'PUT', 'DELETE', 'DELETE']
  )
  t.same([...keysOf(asked)], [undefined])
})

t.test('the caller names the key, or wants none', async (t) => {
  const header = { 'Idempotency-Key': 'mine' }
  for (const init of [{ idempotencyKey: 'mine' }, { params: { header } }, { headers: header }]) {
    const { asked, platform } = await answering(t, [cut])
    await platform.post('/v1/agents', { body, ...init })
    t.same([...keysOf(asked)], ['mine'])
    t.equal(asked.length, 2)
  }
  const { asked, platform } = await answering(t, [cut])
  await t.rejects(
    platform.post('/v1/agents', { body, idempotencyKey: false }),
    failing({ name: 'ConnectionError' })
  )
  const bytes = new Blob(['bytes'], { type: 'text/plain' })
  await platform.post('/v1/compute/{path}', { params: { path: { path: 'jobs' } }, body: bytes })
  t.match(asked.at(-1), { body: 'bytes', headers: { 'content-type': 'text/plain' } })
  t.same([...keysOf(asked)], [undefined])
  t.equal(asked.length, 2)
})

t.test('what will not pass is not asked for again', async (t) => {
  for (const answer of [
    refuse(400, {}),
    refuse(500, {}),
    refuse(409, {}, 'idempotency_key_reused'),
    refuse(503, {}, 'model_not_configured'),
    refuse(503, { 'x-run-id': 'run_1' })
  ]) {
    const { asked, platform } = await answering(t, [answer])
    await t.rejects(platform.post('/v1/agents', { body }), failing({ name: 'ApiError' }))
    t.equal(asked.length, 1)
  }
})

t.test('a first request that is still being answered is waited for, beyond the retries', async (t) => {
  const running = Array<Answer>(4).fill(refuse(409, now, 'idempotency_in_progress'))
  const { asked, platform } = await answering(t, running)
  t.match(await platform.post('/v1/agents', { body }), { data: { id: 'agent_1' } })
  t.equal(asked.length, 5)
})

t.test('a reply that is not the platform’s is an error that says so', async (t) => {
  const html: Answer = (response) =>
    response.writeHead(500, { 'content-type': 'text/html', 'x-request-id': 'req_7' }).end('<h1>secret</h1>')
  const { platform } = await answering(t, [html])
  await t.rejects(
    platform.get('/v1/agents'),
    failing({
      status: 500,
      type: 'unexpected_reply',
      requestId: 'req_7',
      message: /^500 Internal Server Error: /
    })
  )
  const portal: Answer = (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('Sign in')
  const guest = await answering(t, [portal, portal])
  await t.rejects(guest.platform.get('/v1/agents'), failing({ status: 200, type: 'unexpected_reply' }))
  await t.rejects(
    guest.platform.runs.follow('run_1').next(),
    failing({ status: 200, type: 'unexpected_reply' })
  )
})

t.test('a signal ends the waiting', async (t) => {
  const stop = new AbortController()
  const { asked, platform } = await answering(t, [
    (response) => {
      refuse(429, { 'retry-after': '30' })(response)
      response.once('close', () => stop.abort(new Error('Enough')))
    }
  ])
  await t.rejects(platform.get('/v1/agents', { signal: stop.signal }), failing({ message: 'Enough' }))
  await t.rejects(platform.get('/v1/agents', { signal: stop.signal }), failing({ message: 'Enough' }))
  t.equal(asked.length, 1)
})
