// tier: whole
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { boot } from '../boot.ts'
import { createClient } from '../client.ts'
import { databaseUrl, serve } from './process.ts'
import { openWire, requestText } from './wire.ts'

t.test('SIGTERM', async (t) => {
  const one = await boot(t, 'goals')
  const key = await one.as('ada').key()
  const two = await serve(t, { DATABASE_URL: databaseUrl(one.connection) })
  const auth = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const ada = createClient(two.url, 'ada', key)
  t.match(await ada.get('/v1/agents'), { status: 200 })

  const idle = await openWire(t, two.url)
  idle.send(requestText('GET', '/health'))
  t.match(await idle.reply(), { status: 200, body: { data: { status: 'ok' } } })

  const body = '{"name":"Made while it leaves"}'
  const busy = await openWire(t, two.url)
  const head = { ...auth, 'content-length': String(body.length), expect: '100-continue' }
  busy.send(requestText('POST', '/v1/agents', head))
  await new Promise((resolve) => busy.socket.once('data', resolve))

  two.kill('SIGTERM')
  await two.line('shutting down')
  await idle.closed
  t.ok(idle.socket.destroyed, 'an idle connection is closed')
  await t.rejects(fetch(`${two.url}/health`), 'no new connection is taken')
  t.match(await one.anyone.get('/health/ready'), { status: 200 }, 'another instance serves')

  busy.send(body)
  busy.send(requestText('GET', '/health/ready'))
  const made = await busy.reply()
  t.match(made, { status: 201, body: { data: { name: 'Made while it leaves' } } }, 'who was in is served')
  const ready = await busy.reply().catch(() => undefined)
  if (ready) t.match(ready, { status: 503, body: { data: { ready: false, draining: true } } })
  await busy.closed
  t.equal(await two.exited, 0)
  t.match(await two.line('stopped'), { dropped: 0 })
  t.match(await one.as('ada').get(`/v1/agents/${made.body.data.id}`), { status: 200 }, 'nothing is lost')
})

t.test('a request that arrived, but was not read yet, is answered', async (t) => {
  const { platform, url } = await boot(t, 'access')
  const idle = await openWire(t, url)
  idle.send(requestText('GET', '/health'))
  t.match(await idle.reply(), { status: 200 })
  const closed = platform.close()
  await pause(300)
  // The lull of a second ends while this process is busy, and has not looked whether something came.
  idle.send(requestText('GET', '/health'))
  for (const end = performance.now() + 1_000; performance.now() < end; );
  t.match(await idle.reply(), { status: 200 })
  await closed
})

t.test('SIGINT and a second signal', async (t) => {
  const { connection } = await boot(t, 'goals')
  const it = await serve(t, { DATABASE_URL: databaseUrl(connection) })
  it.kill('SIGINT')
  it.kill('SIGTERM')
  t.equal(await it.exited, 0)
  t.equal(it.lines.filter(({ msg }) => msg === 'stopped').length, 1)
})
