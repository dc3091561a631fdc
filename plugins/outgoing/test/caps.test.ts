import type { Socket } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import t from 'tap'
import { serve, strange } from '../../../test/loopback.ts'
import { outgoing } from './testbed.ts'

const allow = { allow: '127.0.0.1' }
const closing = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve))
const tooLarge = { kind: 'upstream', code: 'reply_too_large' }

t.test('a body up to the limit arrives, and fails past it', async (t) => {
  const { url } = await serve(t, (_, response) => response.end('x'.repeat(1_000)))
  const { fetch } = outgoing(t, allow)
  t.equal((await (await fetch(url, { maxBytes: 1_000 })).text()).length, 1_000)
  for (const read of ['text', 'json', 'arrayBuffer', 'blob'] as const)
    await t.rejects((await fetch(url, { maxBytes: 999 }))[read](), tooLarge, read)
})

t.test('a body without an end is cut', async (t) => {
  let socket: Socket | undefined
  let closed: Promise<unknown> | undefined
  const { url } = await serve(t, (request, response) => {
    socket = request.socket.on('error', () => undefined)
    closed = closing(socket)
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    }
    response.on('drain', more).on('error', () => undefined)
    more()
  })
  const { fetch } = outgoing(t, allow)
  await t.rejects((await fetch(url)).text(), tooLarge)
  await closed
  t.ok(socket?.destroyed, 'and its connection closed')
})

t.test('a body that grows when it is decoded is counted decoded', async (t) => {
  const bomb = Buffer.alloc(50_000_000)
  const bodies: Record<string, Buffer> = {
    gzip: gzipSync(bomb),
    br: brotliCompressSync(bomb),
    'gzip, gzip': gzipSync(gzipSync(bomb))
  }
  const { url } = await serve(t, ({ headers }, response) => {
    const coding = String(headers['x-coding'])
    response.writeHead(200, { 'content-encoding': coding }).end(bodies[coding] ?? gzipSync('small'))
  })
  const { fetch } = outgoing(t, allow)
  for (const coding of Object.keys(bodies)) {
    t.ok((bodies[coding] as Buffer).length < 100_000)
    const reply = await fetch(url, { headers: { 'x-coding': coding }, maxBytes: 1_000_000 })
    await t.rejects(reply.text(), tooLarge, coding)
  }
  const small = await fetch(url, { headers: { 'x-coding': ' GZIP' } })
  t.equal(await small.text(), 'small')
  for (const coding of ['gzip, gzip, gzip', 'gzip,'.repeat(2_000)])
    await t.rejects(fetch(url, { headers: { 'x-coding': coding } }), { kind: 'upstream', code: undefined })
})

t.test('a header beyond the limit is 502', async (t) => {
  const { url } = await serve(t, (_, response) =>
    response.writeHead(200, { 'x-much': 'x'.repeat(17_000) }).end()
  )
  await t.rejects(outgoing(t, allow).fetch(url), { kind: 'upstream', code: undefined })
})

t.test('the time limit is for the whole exchange', async (t) => {
  const slow = { kind: 'upstreamTimeout', message: /did not answer in time/ }
  const { fetch } = outgoing(t, allow)
  await t.rejects(fetch(await strange(t, () => undefined), { timeoutMs: 30 }), slow, 'before a reply')

  let closed: Promise<unknown> | undefined
  const drops = await serve(t, ({ socket }, response) => {
    closed = closing(socket.on('error', () => undefined))
    const timer = setInterval(() => response.write('x'), 5)
    response.on('close', () => clearInterval(timer))
  })
  const reading = async (timeoutMs: number) => (await fetch(drops.url, { timeoutMs })).text()
  await t.rejects(reading(1_000), slow, 'in a body that never pauses')

  const circle = await serve(t, ({ url }, response) => {
    setTimeout(() => response.writeHead(302, { location: `${url}1` }).end(), 20)
  })
  await t.rejects(fetch(circle.url, { timeoutMs: 50 }), slow, 'over redirects')

  const unread = await fetch(drops.url, { timeoutMs: 1_000 })
  await closed
  await t.rejects(unread.text(), slow, 'also for a body that nobody read until then')
})

t.test('without a limit the caller alone ends it', async (t) => {
  let socket: Socket | undefined
  let closed: Promise<unknown> | undefined
  const { url } = await serve(t, (request, response) => {
    socket = request.socket.on('error', () => undefined)
    closed = closing(socket)
    response.write('begun')
  })
  const { fetch } = outgoing(t, allow)
  const left = new AbortController()
  const reason = new Error('the caller has left')
  const reply = await fetch(url, { timeoutMs: null, signal: left.signal })
  const reader = reply.body?.getReader()
  t.match(Buffer.from((await reader?.read())?.value ?? '').toString(), 'begun')
  left.abort(reason)
  await t.rejects(async () => void (await reader?.read()), reason)
  await closed

  await t.rejects(fetch(url, { signal: AbortSignal.abort(reason) }), reason, 'before it began')
  const waiting = new AbortController()
  const answer = fetch(await strange(t, () => waiting.abort(reason)), { signal: waiting.signal })
  await t.rejects(answer, reason, 'before a reply')

  const unwanted = await fetch(url, { timeoutMs: null })
  await unwanted.body?.cancel()
  await closed
  t.ok(socket?.destroyed, 'a body that is cancelled closes its connection')
})

t.test('replies arrive as they are', async (t) => {
  const { url } = await serve(t, ({ url, method }, response) => {
    if (url === '/none') return response.writeHead(204).end()
    response.setHeader('set-cookie', ['a=1', 'b=2'])
    response.writeHead(418, 'Short and stout', { 'content-type': 'application/json' })
    return response.end(method === 'HEAD' ? '' : '{"a":1}')
  })
  const { fetch } = outgoing(t, allow)
  const reply = await fetch(`${url}/pot`)
  t.match(reply, {
    status: 418,
    statusText: 'Short and stout',
    ok: false,
    url: `${url}/pot`,
    redirected: false
  })
  t.same(reply.headers.getSetCookie(), ['a=1', 'b=2'])
  t.same(await reply.json(), { a: 1 })
  t.match(await fetch(`${url}/none`), { status: 204, body: null, url: `${url}/none` })
  t.match(await fetch(url, { method: 'HEAD' }), { status: 418, body: null })
})

t.test('what is no valid reply is 502, and tells nothing of it', async (t) => {
  const { fetch } = outgoing(t, allow)
  for (const reply of [
    'secret nonsense\r\n\r\n',
    'HTTP/1.1 999 secret\r\ncontent-length: 2\r\n\r\nok',
    'HTTP/1.1 200 OK\r\ncontent-length: secret\r\n\r\n',
    ''
  ]) {
    const url = await strange(t, (socket) => socket.once('data', () => socket.end(reply)))
    const error = (await fetch(url).catch((it) => it)) as Error
    t.match(error, {
      kind: 'upstream',
      message: `${new URL(url).host} cannot be reached or gave no valid reply`
    })
    t.notOk(`${error.stack} ${(error.cause as Error)?.stack}`.includes('secret'))
  }
  const odd = await strange(t, (socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 200 a\x01b\r\ncontent-length: 2\r\n\r\nok'))
  )
  t.match(await fetch(odd), { status: 200, statusText: 'a b' })
  const broken = await strange(t, (socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\npart'))
  )
  await t.rejects(
    (await fetch(broken)).text(),
    { kind: 'upstream', code: undefined },
    'a part is not the whole'
  )
  const garbled = await strange(t, (socket) =>
    socket.once('data', () =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\nnope')
    )
  )
  await t.rejects((await fetch(garbled)).text(), { kind: 'upstream', code: undefined })
})
