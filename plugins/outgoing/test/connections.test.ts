import { once } from 'node:events'
import type { LookupFunction } from 'node:net'
import { createConnection } from 'node:net'
import t from 'tap'
import { serve, strange } from '../../../test/loopback.ts'
import { parseAllowed } from '../allowed.ts'
import { createAgent } from '../connections.ts'
import { createGuard } from '../guard.ts'
import { createOutgoingService } from '../service.ts'
import { outgoing, spellings } from './testbed.ts'

const get = { method: 'GET', path: '/' } as const
const refusal = (host: string) => ({
  message: `Connecting to ${host} is not allowed`,
  code: 'address_refused'
})

t.test('no spelling of a private address is connected to', async (t) => {
  const { port, seen } = await serve(t, (_, response) => response.end(), '0.0.0.0')
  const { dispatcher, fetch, check, asked } = outgoing(t)
  for (const spelling of spellings)
    for (const scheme of ['http', 'https']) {
      const origin = `${scheme}://${spelling}:${port}`
      const wanted = { kind: 'upstream', code: 'address_refused' }
      await t.rejects(dispatcher.request({ origin, ...get }), wanted, `${origin} by the dispatcher`)
      await t.rejects(fetch(origin), wanted, `${origin} by fetch`)
      t.throws(
        () => check(origin, 'url'),
        { kind: 'invalid', param: 'url', code: undefined },
        `${origin} by check`
      )
    }
  t.same({ ...seen, asked }, { connections: 0, requests: 0, asked: [] }, 'and nothing was resolved')
})

t.test('sockets of other protocols go where requests go', async (t) => {
  const { port, seen } = await serve(t, (_, response) => response.end(), '0.0.0.0')
  const names = { 'evil.example': [['10.0.0.1'], ['127.0.0.1', '::1']], 'none.example': [] }
  const guarded = outgoing(t, { names })
  for (const spelling of [
    ...spellings.map((it) => it.replace(/^\[|\]$/g, '')),
    'a@b',
    '1.1.1.1/x',
    'a?b',
    ''
  ])
    t.throws(() => guarded.lookup(spelling, port), { kind: 'upstream', code: 'address_refused' }, spelling)
  t.same(guarded.asked, [], 'nothing was resolved')
  const connect = (lookup: LookupFunction, host: string) =>
    once(createConnection({ host, port, lookup }), 'connect')
  for (let time = 1; time <= 2; time++)
    await t.rejects(connect(guarded.lookup('evil.example', port), 'evil.example'), refusal('evil.example'))
  await t.rejects(connect(guarded.lookup('none.example', port), 'none.example'), { code: 'ENOTFOUND' })
  t.same(seen.connections, 0)

  const allowed = outgoing(t, { names: { 'in.example': [['10.0.0.1', '127.0.0.1']] }, allow: '127.0.0.1' })
  for (const host of ['in.example', '127.0.0.1']) {
    const socket = createConnection({ host, port, lookup: allowed.lookup(host, port) })
    await once(socket, 'connect')
    t.equal(socket.remoteAddress, '127.0.0.1', 'at the address that is allowed alone')
    socket.destroy()
  }
})

t.test('no name of a private address is connected to', async (t) => {
  const addresses = [
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    'fe80::1%lo',
    '0.0.0.0'
  ]
  const { port, seen } = await serve(t, (_, response) => response.end(), '0.0.0.0')
  for (const [address, scheme] of addresses.flatMap((it) => [
    [it, 'http'] as const,
    [it, 'https'] as const
  ])) {
    const { dispatcher, fetch } = outgoing(t, { names: { 'evil.example': [[address]] } })
    const origin = `${scheme}://evil.example:${port}`
    await t.rejects(dispatcher.request({ origin, ...get }), refusal('evil.example'), address)
    const error = (await fetch(origin).catch((it) => it)) as Error
    t.match(error, { ...refusal('evil.example'), kind: 'upstream' })
    t.notOk(`${error.stack} ${error.cause}`.includes(address), 'without what it resolved to')
  }
  t.equal(seen.connections, 0)
})

t.test('a name that is bound to another address later stays outside', async (t) => {
  // Allowed, 127.0.0.1 plays the public address, and 127.0.0.2, where the same server listens, the private one.
  const close = { connection: 'close' }
  const { port, seen } = await serve(t, (_, response) => response.writeHead(200, close).end('in'), '0.0.0.0')
  const names = { 'rebind.example': [['127.0.0.1'], ['127.0.0.2']] }
  const { fetch, asked } = outgoing(t, { allow: '127.0.0.1', names })
  const url = `http://rebind.example:${port}`
  t.equal(await (await fetch(url)).text(), 'in')
  t.equal(asked.length, 1, 'resolved once: what was checked is what was connected to')
  await t.rejects(fetch(url), refusal('rebind.example'))
  t.same({ ...seen, asked: asked.length }, { connections: 1, requests: 1, asked: 2 })
})

t.test('of several addresses those that are allowed are connected to', async (t) => {
  const from: unknown[] = []
  const { port } = await serve(
    t,
    ({ socket }, response) => {
      from.push(socket.localAddress)
      response.end()
    },
    '0.0.0.0'
  )
  const names = { 'mixed.example': [['127.0.0.2', '::1', '127.0.0.1']] }
  const { fetch } = outgoing(t, { allow: '127.0.0.1', names })
  t.equal((await fetch(`http://mixed.example:${port}`)).status, 200)
  t.same(from, ['127.0.0.1'])
})

t.test('what the operator allows is connected to', async (t) => {
  const { port, seen } = await serve(t, (_, response) => response.end('in'))
  const names = { 'ollama.internal': [['127.0.0.1']] }
  for (const [allow, host] of [
    ['127.0.0.1', '127.0.0.1'],
    ['127.0.0.0/8', '2130706433'],
    [`127.0.0.1:${port}`, '127.1'],
    ['127.0.0.0/8', '[::ffff:127.0.0.1]'],
    ['127.0.0.1', 'localhost'],
    ['localhost', 'localhost.'],
    [`localhost:${port}`, 'localhost'],
    ['127.0.0.1', 'ollama.internal'],
    ['ollama.internal', 'ollama.internal'],
    [`Ollama.Internal:${port}`, 'OLLAMA.internal']
  ] as const) {
    const { fetch, check, dispatcher } = outgoing(t, { allow, names })
    const url = `http://${host}:${port}/`
    t.equal(check(url, 'url').href, new URL(url).href)
    t.equal(await (await fetch(url)).text(), 'in', `${allow} allows ${host}`)
    t.match(await dispatcher.request({ origin: url, ...get }), { statusCode: 200 })
  }
  const { connections } = seen
  for (const [allow, host] of [
    ['127.0.0.1:1', '127.0.0.1'],
    ['127.0.0.2', '127.0.0.1'],
    ['localhost:1', 'localhost'],
    ['localhost', '127.0.0.1'],
    ['ollama.internal:1', 'ollama.internal'],
    ['internal', 'ollama.internal']
  ] as const)
    await t.rejects(
      outgoing(t, { allow, names }).fetch(`http://${host}:${port}`),
      refusal(host),
      `${allow}, ${host}`
    )
  t.equal(seen.connections, connections)
})

t.test('the dispatcher follows no redirect', async (t) => {
  const { url } = await serve(t, (_, response) =>
    response.writeHead(302, { location: 'http://127.0.0.2/' }).end()
  )
  const { statusCode } = await outgoing(t, { allow: '127.0.0.1' }).dispatcher.request({ origin: url, ...get })
  t.equal(statusCode, 302)
})

t.test('connections are kept, and no more are opened than may be', async (t) => {
  const waiting: (() => void)[] = []
  const { url, seen } = await serve(t, (_, response) => {
    waiting.push(() => response.end())
    if (waiting.length >= 2) for (const answer of waiting) answer()
  })
  const { dispatcher } = outgoing(t, { allow: '127.0.0.1', connections: 2 })
  const request = async () => (await dispatcher.request({ origin: url, ...get })).body.dump()
  await Promise.all(Array.from({ length: 8 }, request))
  t.match(seen, { connections: 2, requests: 8 })
})

t.test('what was refused leaves nothing behind', async (t) => {
  const { dispatcher, fetch } = outgoing(t, { connections: 1 })
  const order = Array.from(
    { length: 20 },
    (_, at) => `http://${at % 2 ? `10.0.0.${at}` : 'gone.example'}:${at + 8000}`
  )
  for (const origin of [...order, ...order]) {
    await t.rejects(fetch(origin), { kind: 'upstream', message: /10\.0\.0|gone/ })
    await t.rejects(dispatcher.request({ origin, ...get }))
  }
  await t.rejects(
    Promise.any(Array.from({ length: 5 }, () => dispatcher.request({ origin: 'http://10.1.1.1', ...get })))
  )
  t.same(Object.keys(dispatcher.stats), [])
})

t.test('a connection that takes too long is 504', async (t) => {
  const silent = await strange(t, () => undefined)
  const { fetch } = outgoing(t, { allow: '127.0.0.1', connectTimeout: 1 })
  await t.rejects(fetch(silent.replace('http:', 'https:')), { kind: 'upstreamTimeout', code: undefined })
})

t.test('a port where nobody listens is 502', async (t) => {
  const { url, port } = await serve(t, (_, response) => response.end())
  const socket = createConnection(port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  const { fetch } = outgoing(t, { allow: '127.0.0.1' })
  await t.rejects(fetch('http://127.0.0.1:9'), { kind: 'upstream', code: undefined })
  await t.rejects(fetch('http://nowhere.example'), { kind: 'upstream', code: 'unreachable' })
  await t.rejects(fetch(url.replace('http:', 'https:')), { kind: 'upstream', code: undefined }, 'no TLS')
})

t.test('more origins than are bounded are refused', async (t) => {
  const resolving = Promise.withResolvers<never>()
  const guard = createGuard(parseAllowed('', true), () => resolving.promise)
  const dispatcher = createAgent(guard, { connectTimeout: 60_000, connections: 1 })
  const { fetch } = createOutgoingService({ outgoingConnections: { guard, dispatcher } })
  const waiting = Array.from({ length: 1_000 }, (_, at) => fetch(`http://${at}.example`).catch(() => at))
  await t.rejects(fetch('http://one-more.example'), {
    kind: 'unavailable',
    message: 'Too many addresses are in use'
  })
  await dispatcher.destroy()
  t.equal((await Promise.all(waiting)).length, 1_000)
  resolving.reject(new Error('no such name'))
})
