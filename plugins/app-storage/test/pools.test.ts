import t from 'tap'
import { until } from '../../../test/packs/stage.ts'
import { createPools } from '../services/pools.ts'
import type { DataStore } from '../stores/data-store.ts'
import { NotLive } from '../stores/data-store.ts'
import { failureOf } from '../stores/failures.ts'

/** Opens stores that are nothing but their names, and notes which were opened and closed. */
function bench(t: { teardown(work: () => unknown): unknown }, pools: number, idleSeconds = 600) {
  const made = createPools({ pools, idleSeconds })
  t.teardown(made.close)
  const seen: string[] = []
  const open = (name: string) => async () => {
    seen.push(`+${name}`)
    return {
      store: { identity: name } as DataStore,
      close: async () => {
        seen.push(`-${name}`)
      }
    }
  }
  const use = <T>(name: string, work: (store: DataStore) => Promise<T>) => made.use(name, open(name), work)
  return { ...made, seen, use, open }
}
const name = async ({ identity }: DataStore) => identity

t.test('a store is connected to once, and what is idle makes room', async (t) => {
  const { use, seen, size } = bench(t, 2)
  t.same(await Promise.all([use('a', name), use('a', name), use('b', name)]), ['a', 'a', 'b'])
  t.same(seen, ['+a', '+b'])
  await use('a', name)
  t.equal(await use('c', name), 'c')
  t.same(seen.toSorted(), ['+a', '+b', '+c', '-b'], 'the one that was idle for longest')
  t.equal(size(), 2)

  const held = Promise.withResolvers<string>()
  const busy = [use('a', () => held.promise), use('c', () => held.promise)]
  await t.rejects(use('d', name), { kind: 'unavailable', code: 'store_busy' }, 'none in use is closed')
  held.resolve('done')
  t.same(await Promise.all(busy), ['done', 'done'])
  t.equal(await use('d', name), 'd')
})

t.test('what nobody uses is closed after a while', async (t) => {
  const { use, seen, size } = bench(t, 2, 0.01)
  const held = Promise.withResolvers<string>()
  const busy = use('a', () => held.promise)
  await use('b', name)
  await until(
    async () => size(),
    (open) => open === 1
  )
  t.same(seen, ['+a', '+b', '-b'])
  held.resolve('done')
  await busy
  await until(
    async () => size(),
    (open) => open === 0
  )
  t.same(seen, ['+a', '+b', '-b', '-a'])
})

t.test('what is broken is opened anew, and what a command did wrong is not', async (t) => {
  const { use, seen } = bench(t, 5)
  const failing = (error: object) =>
    t.rejects(use('a', () => Promise.reject(Object.assign(new Error('no'), error))))
  for (const error of [
    { code: '57014' },
    { code: '23505' },
    { name: 'MongoServerError', code: 50 },
    { kind: 'conflict' },
    new NotLive('moved')
  ])
    await failing(error)
  t.same(seen, ['+a'])
  const held = Promise.withResolvers<string>()
  const busy = use('a', () => held.promise)
  await failing({ code: 'ECONNRESET' })
  t.equal(await use('a', name), 'a')
  t.same(seen, ['+a', '+a'], 'what is still in use goes on')
  held.resolve('done')
  await busy
  t.same(seen, ['+a', '+a', '-a'])
  await failing({ name: 'MongoServerError', code: 10_107 })
  await failing({ code: '57P01' })
  t.equal(seen.filter((it) => it === '+a').length, 3)
  let fails = true
  const open = async () => {
    if (fails) throw new Error('away')
    return { store: { identity: 'x' } as DataStore, close: async () => {} }
  }
  const { use: plain, close } = createPools({ pools: 5, idleSeconds: 600 })
  t.teardown(close)
  await t.rejects(plain('x', open, name), /away/)
  fails = false
  t.equal(await plain('x', open, name), 'x')
})

t.test('what a server says is told by a code, and not in its words', async (t) => {
  const cases: [error: object, kind: string, code: string][] = [
    [{ code: '28P01' }, 'upstream', 'credentials_refused'],
    [{ name: 'MongoServerSelectionError', cause: { code: 18 } }, 'upstream', 'credentials_refused'],
    [{ cause: { cause: { code: 'address_refused' } } }, 'upstream', 'address_refused'],
    [
      { reason: { servers: new Map([['h', { error: { cause: { code: 'ENOTFOUND' } } }]]) } },
      'upstream',
      'host_not_found'
    ],
    [{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'upstream', 'certificate_refused'],
    [{ code: '53100' }, 'upstream', 'store_full'],
    [{ code: '57014' }, 'upstreamTimeout', 'query_timeout'],
    [{ code: 50, name: 'MongoServerError' }, 'upstreamTimeout', 'query_timeout'],
    [{ code: '__proto__' }, 'upstream', 'unreachable'],
    [{}, 'upstream', 'unreachable']
  ]
  for (const [fields, kind, code] of cases) {
    const failure = failureOf(Object.assign(new Error('password pa55 of 10.0.0.1'), fields))
    t.match(failure, { kind, code })
    t.notMatch(failure.message, /pa55|10\.0/)
  }
})
