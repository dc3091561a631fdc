// tier: whole
import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { boot } from './boot.ts'
import { databaseUrl, serve } from './http/process.ts'
import type { Wire, WireReply } from './http/wire.ts'
import { openWire, requestText } from './http/wire.ts'

const BUSY = 100
const IDLE = 100

/** A platform in a process of its own on the database of another one, and requests to it. */
async function leaving(t: Parameters<typeof serve>[0]) {
  const home = await boot(t, 'goals')
  const authorization = `Bearer ${await home.as('ada').key()}`
  const limits = { GATEWAY_LIMIT_PER_MINUTE: '1000000', LOG_LEVEL: 'info' }
  const it = await serve(t, { DATABASE_URL: databaseUrl(home.connection), ...limits })
  const { hostname, port } = new URL(it.url)
  const read = requestText('GET', '/v1/auth/me', { authorization })
  const json = { authorization, 'content-type': 'application/json' }
  const write = requestText('POST', '/v1/agents', json, '{"name":"Made while it leaves"}')
  /** How a new connection fares. */
  const reach = () => {
    const socket = connect(Number(port), hostname)
    return once(socket, 'connect').then(
      () => socket.destroy() && 'connected',
      (error) => error.code
    )
  }
  return { ...it, home, read, write, reach }
}

const isLast = ({ headers }: WireReply) => headers.get('connection') === 'close'

/** Sends a request as soon as the reply to the one before is there, until it is told that it was the last. */
async function ask(wire: Wire, text: string, replied: (reply: WireReply) => void): Promise<number> {
  for (let sent = 1; ; sent++) {
    wire.send(text)
    const reply = await wire.reply()
    replied(reply)
    if (isLast(reply)) return sent
  }
}

t.test('SIGTERM under load: every request that was sent is answered', async (t) => {
  const it = await leaving(t)
  const statuses = new Map<number, number>()
  const note = ({ status }: WireReply) => void statuses.set(status, (statuses.get(status) ?? 0) + 1)
  const warm = Promise.withResolvers<void>()
  let answered = 0
  const count = (reply: WireReply) => {
    note(reply)
    if (++answered === 10 * BUSY) warm.resolve()
  }
  const idle = await Promise.all(Array.from({ length: IDLE }, () => openWire(t, it.url)))
  for (const wire of idle) {
    wire.send(it.read)
    note(await wire.reply())
  }
  const busy = await Promise.all(Array.from({ length: BUSY }, () => openWire(t, it.url)))
  const asking = Promise.allSettled(busy.map((wire, n) => ask(wire, n % 5 ? it.read : it.write, count)))
  await warm.promise

  it.kill('SIGTERM')
  await it.line('shutting down')
  // What looked idle to the server when it was told to leave has just sent a request.
  const late = Promise.allSettled(idle.map((wire) => ask(wire, it.read, note)))
  const outcomes = [...(await asking), ...(await late)]
  const cut = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? String(outcome.reason) : []))
  t.same(cut, [], `${answered} requests of ${BUSY} connections, and ${IDLE} of others at the last moment`)
  t.same([...statuses.keys()].sort(), [200, 201])
  t.equal(await it.reach(), 'ECONNREFUSED', 'nobody new is taken')
  await Promise.all([...busy, ...idle].map(({ closed }) => closed))
  t.equal(await it.exited, 0)
  t.match(await it.line('stopped'), { dropped: 0 })
  const { body } = await it.home.as('ada').get('/v1/agents?limit=1')
  t.match(body, { data: [{ name: 'Made while it leaves' }] })
})

t.test('SIGTERM: requests that follow each other without waiting are all answered', async (t) => {
  const it = await leaving(t)
  const wire = await openWire(t, it.url)
  const body = '{"name":"Slow to come"}'
  const [head = ''] = it.write.split('\r\n\r\n')
  wire.send(
    `${head.replace(/content-length: \d+/, `content-length: ${body.length}`)}\r\n\r\n${body.slice(0, 5)}`
  )
  // It has arrived when what was sent after it on another connection is answered.
  const other = await openWire(t, it.url)
  other.send(it.read)
  await other.reply()
  it.kill('SIGTERM')
  await it.line('shutting down')
  while ((await it.reach()) !== 'ECONNREFUSED');
  wire.send(body.slice(5) + it.read + it.read)
  const replies = [await wire.reply(), await wire.reply(), await wire.reply()]
  t.same(
    replies.map(({ status }) => status),
    [201, 200, 200]
  )
  t.same(replies.map(isLast), [false, false, true], 'only the last one says that it is')
  await wire.closed
  t.equal(await it.exited, 0)
})

t.test('SIGTERM: nobody waits for a connection that has nothing to say', async (t) => {
  const it = await leaving(t)
  const fresh = await openWire(t, it.url)
  const half = await openWire(t, it.url)
  half.send('GET /health HT')
  it.kill('SIGTERM')
  await Promise.all([fresh.closed, half.closed])
  t.equal(await it.exited, 0)
  t.match(await it.line('stopped'), { dropped: 0 })
})
