// servers: PostgreSQL and Redis
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { connect, createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '@redis/client'
import type { Knex } from 'knex'
import { pino } from 'pino'
import t from 'tap'
import { becomes } from '../../test/connected.ts'
import { database } from '../../test/database.ts'
import { instanceLock } from '../database/instance.ts'
import { up } from '../database/migrations/0001-create-instance.ts'
import { createPresence } from '../database/presence.ts'
import type { Signals } from './signals.ts'
import { createSignals } from './signals.ts'

const log = pino({ level: 'silent' })
type Test = Parameters<typeof database>[0]

/** Two instances on one database. */
async function two(t: Test) {
  const { connection, knex } = await database(t)
  await knex.raw('create schema kernel')
  await up(knex)
  const instance = async () => {
    const presence = createPresence({ connection, log })
    const signals = createSignals({ presence, knex, log })
    await presence.start()
    t.teardown(async () => {
      await signals.close()
      await presence.close()
    })
    return { presence, signals }
  }
  return { knex, a: await instance(), b: await instance() }
}

/** Resolves when `to` hears what `from` sends now; what `from` sent before was heard by then. */
async function passed(from: Signals, to: Signals) {
  const token = randomUUID()
  const { promise, resolve } = Promise.withResolvers<void>()
  using _ = to.on('passed', (data) => data === token && resolve())
  from.send('passed', token)
  await promise
}

const cut = (knex: Knex, id: number | undefined) =>
  knex.raw(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = ?::bigint::oid
        and objid = ?::bigint::oid and database = (select oid from pg_database where datname = current_database())`,
    [instanceLock, id as number]
  )

t.test('reaches this instance at once and the others soon, each once and in order', async (t) => {
  const { a, b } = await two(t)
  const here: unknown[] = []
  const there: unknown[] = []
  a.signals.on('x', (data) => here.push(data))
  b.signals.on('x', (data) => there.push(data))
  a.signals.send('x', 1)
  t.same(here, [1], 'before send returned')
  a.signals.send('x', { ids: ['ü', 'two'] })
  a.signals.send('x')
  await passed(a.signals, b.signals)
  await passed(b.signals, a.signals)
  t.same(here, [1, { ids: ['ü', 'two'] }, undefined], 'its own echo was dropped')
  t.same(there, here)
})

t.test('what one tick gathers goes in one NOTIFY, in several when it is too large', async (t) => {
  const { a, b, knex } = await two(t)
  const statements: number[] = []
  knex.on('query', ({ sql, bindings }) => sql.includes('pg_notify') && statements.push(bindings[1].length))
  const there: unknown[] = []
  b.signals.on('many', (data) => there.push(data))
  for (let i = 0; i < 100; i++) a.signals.send('many', i)
  await passed(a.signals, b.signals)
  t.equal(statements[0], 1, 'one payload, and nothing sent before')
  t.equal(there.length, 100)
  const payloads: string[] = []
  b.presence.listen('platform_signal', (payload) => payloads.push(payload))
  for (let i = 0; i < 20; i++) a.signals.send('many', `${i}${'ö'.repeat(1_500)}`)
  await passed(a.signals, b.signals)
  t.equal(there.length, 120)
  t.ok(payloads.length > 1)
  t.ok(payloads.every((payload) => Buffer.byteLength(payload) <= 7_900))
  t.throws(() => a.signals.send('many', 'ö'.repeat(4_000)), RangeError)
})

t.test('a listener that throws hurts nobody, a disposed one hears nothing', async (t) => {
  const { a, b } = await two(t)
  const there: unknown[] = []
  b.signals.on('x', () => {
    throw new Error('mine')
  })
  const gone = b.signals.on('x', (data) => there.push(['gone', data]))
  b.signals.on('x', (data) => there.push(data))
  gone[Symbol.dispose]()
  a.signals.send('x', 1)
  await passed(a.signals, b.signals)
  t.same(there, [1])
})

t.test('what is not a signal is dropped', async (t) => {
  const { a, b, knex } = await two(t)
  const there: unknown[] = []
  b.signals.on('x', (data) => there.push(data))
  for (const payload of ['', '{"a":1}', '["someone",1,null,{"x":1}]', '[', 'null']) {
    await knex.raw('select pg_notify(?, ?)', ['platform_signal', payload])
  }
  a.signals.send('x', 'fine')
  await passed(a.signals, b.signals)
  t.same(there, ['fine'])
})

t.test('losing the listener flips connected, and it comes back', async (t) => {
  const { a, b, knex } = await two(t)
  t.equal(b.signals.connected, true)
  const away = becomes(b.signals, false)
  await cut(knex, b.presence.id())
  await away
  await becomes(b.signals, true)
  await passed(a.signals, b.signals)
  await passed(b.signals, a.signals)
  t.equal(b.signals.connected, true)
})

t.test('a database that is away for a moment loses no signal that was waiting', async (t) => {
  const { a, b, knex } = await two(t)
  const there: unknown[] = []
  b.signals.on('x', (data) => there.push(data))
  const acquire = knex.client.acquireConnection.bind(knex.client)
  let failures = 0
  knex.client.acquireConnection = () =>
    failures++ < 2 ? Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' })) : acquire()
  a.signals.send('x', 1)
  a.signals.send('x', 2)
  await passed(a.signals, b.signals)
  t.same(there, [1, 2])
  t.ok(failures > 2)
})

const redis = new URL(process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379')
const answers = await createClient({
  url: redis.href,
  socket: { reconnectStrategy: false, connectTimeout: 500 }
})
  .on('error', () => undefined)
  .connect()
  .then(
    (client) => {
      client.destroy()
      return true
    },
    () => false
  )

/** A way to Redis of this test's own, so that nobody else's connections are cut. */
async function wayToRedis(t: Test) {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(redis.port || 6379), redis.hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
    }
    near.pipe(far).pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(redis)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  const cut = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  t.teardown(() => {
    cut()
    server.close()
  })
  return { url: url.href, cut }
}

t.test('over Redis', { skip: answers ? false : 'no Redis answers' }, async (t) => {
  const { a: other, knex } = await two(t)
  const way = await wayToRedis(t)
  const instance = () => {
    const signals = createSignals({ presence: other.presence, knex, redisUrl: way.url, log })
    t.teardown(() => signals.close())
    return signals
  }
  const [a, b] = [instance(), instance()]
  await Promise.all([becomes(a, true), becomes(b, true)])
  const topic = randomUUID()
  const heard: unknown[] = []
  b.on(topic, (data) => heard.push(data))
  a.send(topic, 1)
  await passed(a, b)
  t.same(heard, [1])

  const away = Promise.all([becomes(a, false), becomes(b, false)])
  way.cut()
  await away
  await Promise.all([becomes(a, true), becomes(b, true)])
  await passed(a, b)
  await passed(b, a)
  t.equal(a.connected, true)
})

t.test('a Redis that is not there disturbs nothing', async (t) => {
  const { a, knex } = await two(t)
  const signals = createSignals({ presence: a.presence, knex, redisUrl: 'redis://127.0.0.1:1', log })
  const here: unknown[] = []
  signals.on('x', (data) => here.push(data))
  signals.send('x', 1)
  await delay(0)
  t.same(here, [1])
  t.equal(signals.connected, false)
  await signals.close()
})
