import type { RunEvent } from 'agent-platform-client'
import { ApiError, createClient } from 'agent-platform-client'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import t from 'tap'
import { all, cuttingProxy, failing, little, random, seqs, stage, textOf, upTo } from './testbed.ts'

const { booted, client, ada, agent, saying } = await stage(t, { packs: ['docs'] })
const words = (count: number) => Array(count).fill('word').join(' ')
const sessions = async () => (await all(ada.list('/v1/sessions/agent/{agentId}', at))).length
const at = { params: { path: { agentId: agent.id } } }

t.test('a run is streamed to its end, in events that are as they are documented', async (t) => {
  const stream = ada.runs.stream(saying('/think Well\n/say Hello world\n/call none {}\n/then\n/say Bye'))
  t.equal(stream.runId, undefined)
  const events = await all(stream)
  t.match(stream.runId, /^run_/)
  t.same(seqs(events), upTo(events.length - 1))
  t.match(events.at(0), { type: 'run_started', runId: stream.runId })
  t.match(events.at(-1), { type: 'final', content: 'Bye' })
  t.same(await all(ada.runs.follow(stream.runId ?? '')), events)
  t.same(await all(ada.runs.follow(stream.runId ?? '', { after: 2 })), events.slice(3))

  const failed = await all(ada.runs.stream(saying('/fail 400 No')))
  t.match(failed.at(-1), { type: 'error', message: String, code: String })
  const asking = ada.runs.stream(saying('/call dig {}', { cliTools: [{ name: 'dig' }] }))
  const cancelled: RunEvent[] = []
  for await (const event of asking) {
    cancelled.push(event)
    if (event.type === 'cli_tool_request')
      await ada.post('/v1/agents/runs/{runId}/cancel', { params: { path: { runId: event.runId } } })
  }
  t.equal(cancelled.at(-1)?.type, 'cancelled')

  const { components } = (await booted.anyone.get('/openapi.json')).body
  const ajv = new Ajv2020({ strict: false })
  formats.default(ajv)
  const check = ajv.compile({ components, ...components.schemas.RunEvent })
  const told = [...events, ...failed, ...cancelled]
  for (const event of told) t.ok(check(event), `${event.type} ${ajv.errorsText(check.errors)}`)
  for (const type of ['agent_step', 'token', 'toolStart', 'toolEnd', 'cli_tool_request', 'status'])
    t.ok(
      told.some((event) => event.type === type),
      type
    )
})

t.test('wherever the connection is cut, each event comes once', async (t) => {
  const seed = Date.now() % 1_000_000
  t.comment(`seed ${seed}`)
  const whole = words(150)
  const story = async (number: number) => {
    const next = random(seed + number)
    const way = await cuttingProxy(t, booted.url, () => 1 + Math.floor(next() * 3_000))
    const before = client({ baseUrl: way.url, retries: 10 })
    const events = await all(before.runs.stream(saying('/wait 1\n/repeat 150 word')))
    t.same(seqs(events), upTo(events.length - 1))
    t.equal(textOf(events), whole)
    t.match(events.at(-1), { type: 'final', content: whole })
    const runId = events[0]?.runId ?? ''
    t.same(await all(ada.runs.follow(runId)), events, 'as those have it whose connection holds')
    t.same(await all(before.runs.follow(runId, { after: 3 })), events.slice(4))
    return way.stats.cuts
  }
  const before = await sessions()
  const cuts = await Promise.all([1, 2, 3, 4].map(story))
  t.equal((await sessions()) - before, 4, 'however often its beginning was asked for, a run is one')
  t.ok(Math.min(...cuts) > 2, `cuts: ${cuts}`)
})

t.test('a run whose beginning was never heard of is attached to', async (t) => {
  let connections = 0
  const way = await cuttingProxy(t, booted.url, () => (++connections <= 2 ? 1 : undefined))
  const before = await sessions()
  const stream = client({ baseUrl: way.url }).runs.stream(saying('/say Once'))
  t.match((await all(stream)).at(-1), { type: 'final', content: 'Once' })
  t.equal(way.stats.cuts, 2)
  t.equal((await sessions()) - before, 1)
  const key = 'the-same-key'
  const [first, second] = await Promise.all(
    [1, 2].map(() => all(ada.runs.stream(saying('/say Twice'), { idempotencyKey: key })))
  )
  t.same(first, second)
})

t.test('a connection that is dead without saying so is given up', async (t) => {
  const way = await cuttingProxy(t, booted.url)
  const events: RunEvent[] = []
  for await (const event of client({ baseUrl: way.url, silence: 0.3 }).runs.stream(
    saying('/wait 20\n/repeat 40 word')
  )) {
    events.push(event)
    if (event.seq === 4) way.mute()
  }
  t.same(seqs(events), upTo(events.length - 1))
  t.equal(textOf(events), words(40))
})

t.test('what is refused is told, and not asked again', async (t) => {
  const unknown = { ...saying('Hello'), agentId: 'agent_none' }
  await t.rejects(
    all(ada.runs.stream(unknown)),
    failing({ name: 'ApiError', status: 404, param: '/agentId' })
  )
  await t.rejects(all(ada.runs.follow('run_none')), failing({ status: 404, type: 'not_found' }))
  const { id: runId } = await ada.runs.run(saying('/say Hello'))
  await t.rejects(all(ada.runs.follow(runId, { after: 99 })), failing({ status: 400, param: 'after' }))
  const stranger = client({ apiKey: await booted.as('eve').key() })
  await t.rejects(all(stranger.runs.follow(runId)), ApiError)
})

t.test('behind the last event of a run that has ended there is nothing', async (t) => {
  const events = await all(ada.runs.stream(saying('/say Hello')))
  const { runId = '', seq = 0 } = events.at(-1) ?? {}
  t.same(await all(ada.runs.follow(runId, { after: seq })), [])
})

t.test('leaving closes the connection, and not the run', async (t) => {
  const way = await cuttingProxy(t, booted.url)
  const { runs } = client({ baseUrl: way.url })
  const slow = saying('/wait 100\n/repeat 30 word')
  const left: string[] = []

  for await (const { type, runId } of runs.stream(slow)) {
    if (type !== 'token') continue
    left.push(runId)
    break
  }
  await way.closed()

  const stop = new AbortController()
  const reason = new Error('Enough')
  const stream = runs.stream(slow, { signal: stop.signal })
  await stream.next()
  const rest = all(stream)
  stop.abort(reason)
  await t.rejects(rest, reason)
  await way.closed()
  left.push(stream.runId ?? '')
  await t.rejects(
    all(runs.stream(slow, { signal: stop.signal })),
    reason,
    'one that was aborted begins nothing'
  )

  const waiting = runs.stream(slow)
  while ((await waiting.next()).value.type !== 'token');
  const [next] = await Promise.all([waiting.next(), waiting.return?.()])
  t.same(next, { done: true, value: undefined }, 'also while an event is waited for')
  await way.closed()
  t.same(await waiting.next(), { done: true, value: undefined })

  for (const runId of left) {
    const { data } = await ada.post('/v1/agents/runs/{runId}/cancel', { params: { path: { runId } } })
    t.equal(data.status, 'cancelled', 'it went on')
  }
  t.equal(left.length, 2)
})

const frame = (event: object) => `data: ${JSON.stringify(event)}\n\n`
const token = (seq: number) => ({
  type: 'token',
  runId: 'run_1',
  seq,
  content: 'word',
  phase: 'final_answer'
})
const head = { 'content-type': 'text/event-stream' }

t.test('keepalives are not passed on, what came before is dropped, unknown types are not', async (t) => {
  const { url, asked } = await little(t, ({ path }, number, _, response) => {
    const after = Number(new URL(path, 'http://x').searchParams.get('after'))
    response.writeHead(200, head)
    response.write(frame({ type: 'keepalive', runId: 'run_1', seq: after }))
    if (number === 2) response.write(frame(token(0)) + frame(token(1)))
    if (number < 4)
      return response.end(frame(token(after + 1)).replace('token', number === 3 ? 'new' : 'token'))
    response.end(frame({ type: 'final', runId: 'run_1', seq: after + 1 }))
  })
  const types = (await all(createClient({ baseUrl: url }).runs.follow('run_1', { after: 0 }))).map(
    ({ type, seq }) => `${seq} ${type}`
  )
  t.same(types, ['1 token', '2 token', '3 new', '4 final'])
  t.same(
    asked.map(({ path }) => path.split('?')[1]),
    ['after=0', 'after=1', 'after=2', 'after=3']
  )
})

t.test('a gap is an error', async (t) => {
  const { url, asked } = await little(t, (_asked, _number, _, response) => {
    response.writeHead(200, head).end(frame(token(0)) + frame(token(2)))
  })
  const events: RunEvent[] = []
  const reading = async () => {
    for await (const event of createClient({ baseUrl: url }).runs.follow('run_1')) events.push(event)
  }
  await t.rejects(reading, failing({ name: 'StreamError', message: /from event 0 to 2/ }))
  t.same(seqs(events), [0])
  t.equal(asked.length, 1)
})

t.test('a server that comes back is found again, one that does not is given up', async (t) => {
  const answers: readonly [number, Record<string, string>, string][] = [
    [200, head, frame(token(0))],
    [503, { 'retry-after': '0' }, ''],
    [502, { 'content-type': 'text/html' }, '<h1>Bad gateway</h1>'],
    [429, { 'retry-after': '0' }, ''],
    [200, { 'content-type': 'text/event-stream; charset=utf-8' }, frame({ ...token(1), type: 'final' })]
  ]
  const { url } = await little(t, (_asked, number, _, response) => {
    const [status, headers, body] = answers[number - 1] ?? [500, {}, '']
    response.writeHead(status, headers).end(body)
  })
  t.same(seqs(await all(createClient({ baseUrl: url }).runs.follow('run_1'))), [0, 1])

  const gone = await little(t, (_asked, number, _, response) => {
    if (number === 1) response.writeHead(200, head).end(frame(token(0)))
    else response.destroy()
  })
  const events: RunEvent[] = []
  const reading = async () => {
    for await (const event of createClient({ baseUrl: gone.url, resumes: 2 }).runs.follow('run_1'))
      events.push(event)
  }
  await t.rejects(reading, failing({ name: 'ConnectionError', message: new RegExp(gone.url) }))
  t.same(seqs(events), [0])
  t.equal(gone.asked.length, 3)
})

t.test('what is no event, and what never ends, is an error that quotes nothing', async (t) => {
  const rubbish = ['data: hello SECRET\n\n', 'data: null\n\n', 'data: {"type":"token"}\n\n']
  for (const text of rubbish) {
    const { url, asked } = await little(t, (_asked, _number, _, response) =>
      response.writeHead(200, head).end(text)
    )
    const message = /^The stream holds what is no event$/
    await t.rejects(
      all(createClient({ baseUrl: url }).runs.follow('run_1')),
      failing({ name: 'StreamError', message })
    )
    t.equal(asked.length, 1, 'and not asked again')
  }
  const { url } = await little(t, (_asked, _number, _, response) => {
    response.writeHead(200, head).write('data: ')
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(1_000_000)));
    }
    response.on('drain', more)
    more()
  })
  await t.rejects(
    all(createClient({ baseUrl: url }).runs.follow('run_1')),
    failing({ name: 'StreamError', message: /no end of a line/ })
  )
})

t.test('a server that only says that it is there is given up', async (t) => {
  const { url, asked } = await little(t, (_asked, _number, _, response) =>
    response.writeHead(200, head).end(frame({ type: 'keepalive', runId: 'run_1', seq: 0 }))
  )
  const { runs } = createClient({ baseUrl: url, resumes: 2 })
  await t.rejects(all(runs.follow('run_1', { after: 0 })))
  t.ok(asked.filter(({ path }) => path.includes('/stream')).length <= 3)
})
