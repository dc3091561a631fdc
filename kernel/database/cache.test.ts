import { randomUUID } from 'node:crypto'
import { setTimeout as after } from 'node:timers/promises'
import type { Test } from 'tap'
import t from 'tap'
import { proxy } from '../../test/proxy.ts'
import { REDIS, redisAnswers } from '../../test/redis.ts'
import type { Cache } from './cache.ts'
import { createCaches } from './cache.ts'

const log = { info() {}, warn() {} }

function open(t: Test, redisUrl?: string) {
  const caches = createCaches({ redisUrl, log })
  t.teardown(() => caches.close())
  return caches
}

const gone = async (cache: Cache, key: string): Promise<void> => {
  while ((await cache.get(key)) !== undefined) await after(5)
}

/** The same promises hold in process and over Redis. */
function holds(t: Test, redisUrl?: string) {
  t.test('keeps what JSON can hold, a namespace apart from the other', async (t) => {
    const caches = open(t, redisUrl)
    const [one, other] = [caches.cache(`one ${randomUUID()}`), caches.cache(`other ${randomUUID()}`)]
    const value = { text: ':é\u0000', list: [1, null, false], empty: '' }
    await one.set('key', value, 60_000)
    t.strictSame(await one.get('key'), value)
    t.equal(await other.get('key'), undefined)
    for (const falsy of [null, 0, '', false]) {
      await one.set('falsy', falsy, 60_000)
      t.equal(await one.get('falsy'), falsy)
    }
    await one.delete('key')
    t.equal(await one.get('key'), undefined)
    await one.delete('never there')
  })

  t.test('keeps nothing beyond its time', async (t) => {
    const cache = open(t, redisUrl).cache(randomUUID())
    await cache.set('short', 1, 50.5)
    await cache.set('long', 1, 60_000)
    await cache.set('none', 1, 0)
    t.equal(await cache.get('none'), undefined)
    await gone(cache, 'short')
    t.equal(await cache.get('long'), 1)
  })

  t.test('gives the same content for the same name', async (t) => {
    const caches = open(t, redisUrl)
    const name = randomUUID()
    await caches.cache(name).set('key', 1, 60_000)
    t.equal(await caches.cache(name).get('key'), 1)
  })
}

t.test('in process', async (t) => {
  holds(t)

  t.test('is bounded, the oldest going first', async (t) => {
    const cache = open(t).cache('bounded')
    for (let i = 0; i < 10_001; i++) await cache.set(`key ${i}`, i, 60_000)
    t.equal(await cache.get('key 0'), undefined)
    t.equal(await cache.get('key 10000'), 10_000)
    const long = 'x'.repeat(20 * 1024 * 1024)
    await cache.set('long 1', long, 60_000)
    await cache.set('long 2', long, 60_000)
    t.equal(await cache.get('long 1'), undefined)
    t.equal((await cache.get<string>('long 2'))?.length, long.length)
    await cache.set('too long', long + long, 60_000)
    t.equal(await cache.get('too long'), undefined)
  })
})

t.test('over Redis', { skip: !redisAnswers && `no Redis at ${REDIS}` }, async (t) => {
  holds(t, REDIS)

  t.test('is shared by instances', async (t) => {
    const name = randomUUID()
    const [one, other] = [open(t, REDIS).cache(name), open(t, REDIS).cache(name)]
    await one.set('key', 1, 60_000)
    t.equal(await other.get('key'), 1)
    await other.delete('key')
    t.equal(await one.get('key'), undefined)
  })

  t.test('a Redis that is cut or hangs means a miss, and is used again once it is back', async (t) => {
    const way = await proxy(t, { host: '127.0.0.1', port: 6379 })
    const cache = open(t, `redis://${way.host}:${way.port}`).cache(randomUUID())
    for (const fault of ['cut', 'hang'] as const) {
      await cache.set('key', fault, 60_000)
      t.equal(await cache.get('key'), fault)
      way[fault]()
      for (let i = 0; i < 5; i++) t.equal(await cache.get('key'), undefined)
      await cache.set('key', 'unheard', 60_000)
      await cache.delete('key')
      way.mend()
      while ((await cache.get('key')) === undefined) await after(10)
      t.equal(await cache.get('key'), fault)
    }
  })

  for (const fault of ['cut', 'hang'] as const)
    t.test(`a Redis that was never there means a miss (${fault})`, async (t) => {
      const way = await proxy(t, { host: '127.0.0.1', port: 6379 })
      way[fault]()
      const cache = open(t, `redis://${way.host}:${way.port}`).cache(randomUUID())
      await cache.set('key', 1, 60_000)
      t.equal(await cache.get('key'), undefined)
      way.mend()
      while ((await cache.get('key')) === undefined) await cache.set('key', 2, 60_000).then(() => after(10))
      t.equal(await cache.get('key'), 2)
    })

  t.test('closes while Redis hangs', async (t) => {
    const way = await proxy(t, { host: '127.0.0.1', port: 6379 })
    way.hang()
    const caches = createCaches({ redisUrl: `redis://${way.host}:${way.port}`, log })
    t.equal(await caches.cache('any').get('key'), undefined)
    await caches.close()
    t.equal(await caches.cache('any').get('key'), undefined)
  })
})
