// servers: PostgreSQL and Redis
import { randomUUID } from 'node:crypto'
import { setTimeout as after } from 'node:timers/promises'
import type { Knex } from 'knex'
import type { Test } from 'tap'
import t from 'tap'
import { database } from '../../test/database.ts'
import { poolBehind } from '../../test/pool-behind.ts'
import { proxy } from '../../test/proxy.ts'
import { REDIS, redisAnswers } from '../../test/redis.ts'
import { down, up } from '../database/migrations/0003-create-allowance.ts'
import type { Bucket, LimitKind } from './limits.ts'
import { createLimits } from './limits.ts'
import { createPackLimit } from './pack-limit.ts'

const log = { info() {}, warn() {} }
const defaults = { gateway: 600, platform: 120, sensitive: 20, anonymous: 60 }

async function prepare(t: Test) {
  const { connection, knex } = await database(t)
  await knex.raw('create schema if not exists kernel')
  await up(knex)
  return { connection, knex }
}

interface Settings {
  knex: Knex
  redisUrl?: string
  limits?: Partial<Record<LimitKind, number>>
  windowSeconds?: number
}

function instance(t: Test, { knex, redisUrl, limits, windowSeconds = 600 }: Settings) {
  const made = createLimits({ knex, redisUrl, log, limits: { ...defaults, ...limits }, windowSeconds })
  t.teardown(() => made.close())
  return made
}

/** As the gateway asks: 0 when allowed, else the seconds to wait. */
const ask = async (bucket: Bucket): Promise<number> => (bucket.take() ? 0 : bucket.lease())

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error) => error
  )

/** Until the store answers again: each try is a request of its own. */
async function recovered(bucket: Bucket): Promise<number> {
  for (;;) {
    const seconds = await ask(bucket).catch(() => undefined)
    if (seconds !== undefined) return seconds
    await after(20)
  }
}

async function allowed(bucket: Bucket, requests: number, concurrency: number): Promise<number> {
  let left = requests
  let count = 0
  const worker = async () => {
    while (left-- > 0) if ((await ask(bucket)) === 0) count++
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return count
}

/** Tells the keys of this run from those of others in the same Redis. */
const run = randomUUID()

/** The same promises hold over either store. */
function holds(t: Test, settings: (t: Test) => Promise<Settings>) {
  t.test('one instance can use the whole limit, and not one more', async (t) => {
    const limits = instance(t, await settings(t))
    for (const kind of ['gateway', 'platform', 'sensitive', 'anonymous'] as const)
      t.equal(await allowed(limits.bucket(kind, `one ${run}`), defaults[kind] + 50, 7), defaults[kind], kind)
  })

  t.test('two instances together never exceed the limit', async (t) => {
    const shared = await settings(t)
    const [one, other] = [instance(t, shared), instance(t, shared)]
    for (const kind of ['gateway', 'platform', 'sensitive'] as const) {
      const counts = await Promise.all([
        allowed(one.bucket(kind, `both ${run}`), 400, 16),
        allowed(other.bucket(kind, `both ${run}`), 400, 16)
      ])
      const sum = counts[0] + counts[1]
      t.ok(sum <= defaults[kind], `${kind}: ${sum} of ${defaults[kind]}`)
      t.ok(sum >= defaults[kind] * 0.9, `${kind}: nearly all of it is used`)
    }
  })

  t.test('an instance that asks little leaves the rest to the other', async (t) => {
    const shared = await settings(t)
    const [one, other] = [instance(t, shared), instance(t, shared)]
    t.equal(await allowed(one.bucket('gateway', `rare ${run}`), 3, 1), 3)
    t.ok((await allowed(other.bucket('gateway', `rare ${run}`), 700, 4)) >= 540)
  })

  t.test('keys and kinds do not touch each other', async (t) => {
    const limits = instance(t, await settings(t))
    t.equal(await allowed(limits.bucket('sensitive', `a ${run}`), 30, 1), 20)
    t.equal(await allowed(limits.bucket('sensitive', `b ${run}`), 30, 1), 20)
    t.equal(await ask(limits.bucket('anonymous', `a ${run}`)), 0)
  })

  t.test('a pack limits what it names itself', async (t) => {
    const shared = await settings(t)
    const [one, other] = [instance(t, shared), instance(t, shared)]
    const count = createPackLimit(one, 'shop')
    for (let sold = 0; sold < 5; sold++) await count('sales', `a ${run}`, 5)
    const refused = { kind: 'rateLimited', headers: { 'retry-after': /^[1-9]/ } }
    t.match(await failureOf(count('sales', `a ${run}`, 5)), refused)
    t.match(await failureOf(createPackLimit(other, 'shop')('sales', `a ${run}`, 5)), refused, 'together')
    await count('sales', `b ${run}`, 5)
    await count('returns', `a ${run}`, 5)
    await createPackLimit(other, 'yard')('sales', `a ${run}`, 5)
  })

  t.test('the window passes when it said it would', async (t) => {
    const limits = instance(t, { ...(await settings(t)), windowSeconds: 4 })
    const bucket = limits.bucket('sensitive', `window ${run}`)
    await allowed(bucket, 30, 4)
    const seconds = await ask(bucket)
    t.ok(seconds >= 1 && seconds <= 4, `${seconds} s to wait`)
    await after(seconds * 1000)
    t.equal(await ask(bucket), 0)
  })

  t.test('wrong guesses are counted for all instances, those taken back are not', async (t) => {
    const shared = await settings(t)
    const instances = [instance(t, shared), instance(t, shared)] as const
    const guess = (at: number, key = `guess ${run}`) =>
      instances[at % 2 ? 1 : 0].guess('pack/secret', key, { most: 4, seconds: 300 })
    for (let at = 0; at < 6; at++) await (await guess(at))()
    const made = await Promise.allSettled(Array.from({ length: 9 }, (_, at) => guess(at)))
    const refused = made.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    t.equal(refused.length, 5)
    for (const { kind, headers } of refused) {
      t.equal(kind, 'rateLimited')
      t.ok(Number(headers['retry-after']) > 0 && Number(headers['retry-after']) <= 300)
    }
    await guess(0, `another ${run}`)
  })

  t.test('a lease dies with its window', async (t) => {
    const shared = { ...(await settings(t)), limits: { gateway: 2000 }, windowSeconds: 3 }
    const limits = instance(t, shared)
    const bucket = limits.bucket('gateway', `lease ${run}`)
    await allowed(bucket, 400, 4)
    t.ok(bucket.take(), 'units are left in the lease')
    await after(3000)
    t.notOk(bucket.take(), 'and cannot be used once the window has passed')
    t.equal(await bucket.lease(), 0)
  })
}

t.test('over PostgreSQL', async (t) => {
  holds(t, prepare)

  t.test('callers that wait together share round trips, and the refused make none', async (t) => {
    const { knex } = await prepare(t)
    let queries = 0
    const pool = knex.client as { acquireConnection(): Promise<unknown> }
    const acquire = pool.acquireConnection.bind(pool)
    pool.acquireConnection = () => {
      queries++
      return acquire()
    }
    const bucket = instance(t, { knex }).bucket('anonymous', 'together')
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(bucket)))
    t.ok(answers.every((seconds) => seconds === 0))
    t.equal(queries, 2, 'one for the first, one for the forty-nine that came meanwhile')
    t.equal(await allowed(bucket, 20, 3), 10)
    const before = queries
    t.equal(await allowed(bucket, 20, 3), 0)
    t.equal(queries, before)
  })

  t.test('a store that is away or hangs is 503, and all is well again after it', async (t) => {
    const { connection } = await prepare(t)
    const { way, knex } = await poolBehind(t, connection)
    const bucket = instance(t, { knex }).bucket('anonymous', 'away')
    t.equal(await ask(bucket), 0)
    for (const fault of ['cut', 'hang'] as const) {
      way[fault]()
      t.match(await failureOf(ask(bucket)), { kind: 'unavailable' }, fault)
      way.mend()
      t.equal(await recovered(bucket), 0, 'back')
    }
  })

  t.test('prunes windows that ended long ago, and runs no other statement on the schema', async (t) => {
    const { knex } = await prepare(t)
    const limits = instance(t, { knex })
    await ask(limits.bucket('gateway', 'new'))
    await knex('kernel.allowance').insert({ key: 'gateway:old', points: 1, expire: Date.now() - 7_200_000 })
    await limits.prune()
    t.strictSame(await knex('kernel.allowance').pluck('key'), ['gateway:new'])
    await down(knex)
    t.match(await failureOf(ask(limits.bucket('gateway', 'gone'))), { kind: 'unavailable' })
  })
})

t.test('over Redis', { skip: !redisAnswers && `no Redis at ${REDIS}` }, async (t) => {
  const { knex } = await database(t)
  holds(t, async () => ({ knex, redisUrl: REDIS }))

  t.test('a store that is away or hangs is 503, and all is well again after it', async (t) => {
    const way = await proxy(t, { host: '127.0.0.1', port: 6379 })
    const limits = instance(t, { knex, redisUrl: `redis://${way.host}:${way.port}` })
    const bucket = limits.bucket('anonymous', randomUUID())
    t.equal(await ask(bucket), 0)
    for (const fault of ['cut', 'hang'] as const) {
      way[fault]()
      t.match(await failureOf(ask(bucket)), { kind: 'unavailable' }, fault)
      way.mend()
      t.equal(await recovered(bucket), 0, 'back')
    }
  })
})
