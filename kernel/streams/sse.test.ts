import { once } from 'node:events'
import http from 'node:http'
import type { FastifyRequest } from 'fastify'
import Fastify from 'fastify'
import t from 'tap'
import { connect, eventOf } from '../../test/frames.ts'
import type { Instance } from '../../test/streams.ts'
import { range, serving, testbed } from '../../test/streams.ts'

async function started(on: Instance, stream = 'r') {
  const writer = on.streams.open('p', stream, 'runId')
  writer.append('run_started', {})
  await writer.flushed()
  return writer
}

t.test('a stream is answered as Server-Sent Events', async (t) => {
  const { instance } = await testbed(t)
  const log = await instance()
  const { url } = await serving(t, log)
  const writer = await started(log)
  const got = await connect(`${url}/r`)
  const posted = await connect(`${url}/r`, { method: 'POST', body: {} })
  const { headers, statusCode } = got.response
  t.equal(statusCode, 200)
  t.match(headers, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    'x-request-id': /./,
    'x-run-id': 'r'
  })
  t.match(await got.frame(), /^id: 0\ndata: {"type":"run_started","runId":"r","seq":0,"at":"[^"]+"}$/)
  t.match(await posted.frame(), /^data: {"type":"run_started","runId":"r","seq":0,"at":"[^"]+"}$/)
  writer.token('Hi', 'final_answer')
  t.match(await got.frame(), /^id: 1\ndata: .*"content":"Hi"}$/)
  await writer.end('final', {})
  t.match(await got.frame(), /^id: 2\ndata: {"type":"final"/)
  t.equal(await got.frame(), undefined)
  t.match(await posted.rest(), /^data: {"type":"token".*\n\ndata: {"type":"final".*\n\n$/)
})

t.test('it resumes after the body, else the query, else Last-Event-ID', async (t) => {
  const { instance } = await testbed(t)
  const [log, other] = [await instance(), await instance()]
  const writer = await started(log)
  const { url } = await serving(t, other)
  for (const step of range(1, 9)) writer.append('agent_step', { step })
  await writer.end('final', {})
  const from = async (path: string, options: Parameters<typeof connect>[1] = {}) =>
    eventOf(await (await connect(`${url}${path}`, options)).frame())?.seq
  const headers = { 'last-event-id': '4' }
  t.equal(await from('/r'), 0)
  t.equal(await from('/r?after=-1', { headers }), 0)
  t.equal(await from('/r', { headers }), 5)
  t.equal(await from('/r?after=6', { headers }), 7)
  t.equal(await from('/r?after=6', { headers, method: 'POST', body: { after: 2 } }), 3)
  t.equal(await from('/r', { method: 'POST', body: { after: null } }), 0)
  const done = await connect(`${url}/r?after=10`)
  t.equal(done.response.statusCode, 200)
  t.equal(await done.rest(), '', 'after the last event of what has ended it ends at once')
})

t.test('what cannot be resumed is refused before any header', async (t) => {
  const { instance } = await testbed(t)
  const log = await instance()
  await started(log)
  const { url } = await serving(t, log)
  async function refused(path: string, headers = {}) {
    const { response, rest } = await connect(`${url}${path}`, { headers })
    return [response.statusCode, JSON.parse(await rest()).param]
  }
  t.strictSame(await refused('/unknown'), [404, undefined])
  for (const after of ['1', 'x', '-2', '1e3', ''])
    t.strictSame(await refused(`/r?after=${after}`), [400, 'after'])
  t.strictSame(await refused('/r', { 'last-event-id': 'abc' }), [400, 'last-event-id'])
})

t.test('all readers get the same bytes, live and replayed, here and elsewhere', async (t) => {
  const { instance } = await testbed(t)
  const [log, other] = [await instance(), await instance()]
  await other.listen()
  const writer = await started(log)
  const [here, there] = [await serving(t, log), await serving(t, other)]
  const readers = await Promise.all([here, here, there].map(({ url }) => connect(`${url}/r`)))
  for (const word of 'the quick brown fox jumps'.split(' ')) {
    writer.token(`${word} \n`, 'final_answer')
    await writer.flushed()
  }
  await writer.end('final', {})
  const [first, ...others] = await Promise.all(readers.map((reader) => reader.rest()))
  const replayed = await (await connect(`${there.url}/r`)).rest()
  t.match(first, /"seq":6/)
  for (const bytes of [...others, replayed]) t.equal(bytes, first)
})

t.test('a keepalive repeats the last seq and is not stored', async (t) => {
  const { instance } = await testbed(t)
  const log = await instance({ keepAliveMs: 30 })
  const writer = await started(log)
  const { url } = await serving(t, log)
  const reader = await connect(`${url}/r`)
  const beat = 'data: {"type":"keepalive","runId":"r","seq":0}'
  t.match(await reader.frame(), 'run_started')
  t.strictSame([await reader.frame(), await reader.frame()], [beat, beat])
  await writer.end('final', {})
  t.match(await reader.rest(), /id: 1\ndata: {"type":"final","runId":"r","seq":1,"at":"[^"]+"}\n\n$/)
  t.notMatch(await (await connect(`${url}/r`)).rest(), 'keepalive')
})

t.test('a slow reader is fed from the record, within bounds, and misses nothing', async (t) => {
  const { instance } = await testbed(t)
  const log = await instance({ keepAliveMs: 600_000 })
  const writer = await started(log)
  const { url, app } = await serving(t, log)
  const held: http.ServerResponse[] = []
  app.server.on('request', (_request, response) => held.push(response))
  const slow = http.get(`${url}/r`, { agent: false })
  const [response] = (await once(slow, 'response')) as [http.IncomingMessage]
  const fast = await connect(`${url}/r`)
  const output = 'x'.repeat(100_000)
  const [server] = held
  let most = 0
  for (const _ of range(1, 300)) {
    writer.append('toolEnd', { output })
    await writer.flushed()
    most = Math.max(most, server?.writableLength ?? 0)
  }
  await writer.end('final', {})
  t.ok(most < 2_000_000, `${most} bytes were buffered`)
  let text = ''
  response.setEncoding('utf8')
  for await (const piece of response) text += piece
  t.strictSame(
    [...text.matchAll(/^id: (\d+)$/gm)].map((match) => Number(match[1])),
    range(0, 301)
  )
  t.equal(await fast.rest(), text)
})

t.test('a reader that takes nothing for too long is dropped', async (t) => {
  const { instance } = await testbed(t)
  const log = await instance({ keepAliveMs: 30, drainMs: 300 })
  const writer = await started(log)
  const { url, app } = await serving(t, log)
  const closed = once(app.server, 'request').then(([, response]) => once(response, 'close'))
  const [response] = (await once(http.get(`${url}/r`, { agent: false }), 'response')) as [
    http.IncomingMessage
  ]
  response.on('error', () => undefined)
  for (const _ of range(1, 300)) {
    writer.append('toolEnd', { output: 'x'.repeat(100_000) })
    await writer.flushed()
  }
  await closed
  t.ok(log.streams.writer('p', 'r'), 'nothing else ends with it')
  response.destroy()
})

t.test('a stream that is to come is waited for, with comments', async (t) => {
  const { instance } = await testbed(t)
  const served: (() => void)[] = []
  const log = await instance({ keepAliveMs: 20, onServe: (_, close) => void served.push(close) })
  const found = Promise.withResolvers<string | undefined>()
  const signals: AbortSignal[] = []
  const find = (name: string) => (left: AbortSignal) => {
    signals.push(left)
    if (name === 'broken') return Promise.reject(new Error('The record is away'))
    return name === 'never' ? new Promise<undefined>(() => undefined) : found.promise
  }
  const { url } = await serving(t, log, find)
  t.equal((await connect(`${url}/r?after=0`)).response.statusCode, 400, 'it has no events yet')
  const got = await connect(`${url}/r`)
  t.equal(got.response.statusCode, 200)
  t.equal(await got.frame(), ':')
  await started(log)
  found.resolve('r')
  let frame = await got.frame()
  while (frame === ':') frame = await got.frame()
  t.match(frame, /^id: 0\ndata: {"type":"run_started","runId":"r","seq":0,/)
  t.match(await got.frame(), /"type":"keepalive","runId":"r","seq":0/)

  t.equal(await (await connect(`${url}/broken`)).rest(), '', 'it ends without an event')
  const never = await connect(`${url}/never`)
  served.at(-1)?.()
  t.match(await never.rest(), /^(:\n\n)*$/, 'the kernel can close it')
  const left = await connect(`${url}/never`)
  left.close()
  const last = signals.at(-1) as AbortSignal
  if (!last.aborted) await once(last, 'abort')
  t.ok(last.aborted, 'what looks for it is told that the reader left')
})

t.test('the kernel can close what it serves', async (t) => {
  const { knex, instance } = await testbed(t)
  const served: { request: FastifyRequest; close: () => void }[] = []
  const log = await instance({ onServe: (request, close) => void served.push({ request, close }) })
  const writer = await started(log)
  const { url } = await serving(t, log)
  const readers = await Promise.all(range(0, 2).map(() => connect(`${url}/r`)))
  t.equal(served.length, 3)
  t.ok(served.every(({ request }) => request.url === '/r'))
  for (const reader of readers) await reader.frame()
  served[0]?.close()
  served[0]?.close()
  const ended = await Promise.race(readers.map((reader, at) => reader.frame().then((frame) => [at, frame])))
  t.equal(ended[1], undefined)
  readers[2]?.close()
  await knex.transaction((trx) => log.streams.remove(trx, 'p', 'r'))
  t.equal(await readers[1]?.frame(), undefined, 'its readers are let go when a stream is removed')
  t.throws(() => writer.append('x', {}), { code: 'stream_lost' })
})

t.test('who leaves cancels nothing', async (t) => {
  const { instance } = await testbed(t)
  const log = await instance()
  const writer = await started(log)
  const { url, app } = await serving(t, log)
  const closed = once(app.server, 'request').then(([, response]) => once(response, 'close'))
  const reader = await connect(`${url}/r`)
  await reader.frame()
  reader.close()
  await closed
  writer.append('agent_step', {})
  await writer.end('final', {})
  t.equal((await (await connect(`${url}/r`)).rest()).match(/^id: /gm)?.length, 3)
})

t.test('a reader is given what is not stored, and gets nothing behind its last event', async (t) => {
  const { knex, instance } = await testbed(t)
  const [log, other] = [await instance(), await instance({ pollMs: 600_000 })]
  const publish = (n: number) =>
    knex.transaction((trx) =>
      log.streams.publish(trx, [
        { project: 'p', stream: 's', idField: 'runId', events: [{ type: 'told', fields: { n } }] }
      ])
    )
  await publish(0)
  const ways: { send?: (type: string, fields: object) => void; ended: boolean } = { ended: false }
  const over = new AbortController()
  const app = Fastify({ forceCloseConnections: true })
  app.get('/:way', (request, reply) => {
    const { way } = request.params as { way: string }
    return other.streams.serve(request, reply, {
      project: 'p',
      stream: 's',
      idField: 'runId',
      ...(way === 'last' && { isLast: (event: string) => event.includes('"n":2') }),
      ...(way === 'signal' && { signal: over.signal }),
      live(send) {
        if (way === 'live') ways.send = send
        return () => {
          if (way === 'live') ways.ended = true
        }
      }
    })
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  t.teardown(() => app.close())
  await other.listen()
  const [last, live, stopped] = await Promise.all(
    ['last', 'live', 'signal'].map((way) => connect(`${url}/${way}`))
  )
  if (!last || !live || !stopped) throw new Error('Not connected')
  for (const reader of [last, live, stopped]) t.match(eventOf(await reader.frame()), { seq: 0 })
  ways.send?.('typing', { who: 'ada' })
  t.equal(await live.frame(), 'data: {"type":"typing","runId":"s","seq":0,"who":"ada"}', 'without an id')
  over.abort()
  t.equal(await stopped.rest(), '', 'it ends when the signal says so')
  for (const n of [1, 2, 3]) await publish(n)
  const rest = await last.rest()
  t.match(rest, /"n":1}\n\n.*"n":2}\n\n$/s)
  t.match(eventOf(await live.frame()), { n: 1 })
  live.close()
  while (!ways.ended) await new Promise((resolve) => setImmediate(resolve))
})
