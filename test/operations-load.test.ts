// budget: 60 s, because two instances, each a process of its own, do as much as they can for some seconds
// tier: long
// servers: PostgreSQL and Redis
import t from 'tap'
import { load } from './load/load.ts'
import { growth, judge, tableOf } from './load/verdict.ts'

const skip = !process.env.TEST_REDIS_URL && 'TEST_REDIS_URL names no Redis: see docs/testing.md'

t.test('two instances at a share of their CPU', { skip }, async (t) => {
  const loaded = await load(t, { seconds: 12, every: 2, calibrating: 2, share: 0.7 })
  t.ok(loaded.readings.length >= 5)
  // For memory it is too short: `npm run test:load` is for that.
  for (const { what, found, isMet } of judge(loaded, 1)) t.ok(isMet, `${what}: ${found}`)
  t.match(tableOf(loaded.readings), /connections/)
  t.ok(loaded.most > 0.1, `${loaded.most} cores`)
})

t.test('the verdict sees what grows, fails and is missing', async (t) => {
  t.equal(growth([100, 100, 100]), 0)
  t.ok(Math.abs(growth([90, 100, 110]) - 0.2) < 1e-9)
  const reading = (index: number, more: object = {}) => ({
    ...{ second: index, rate: 10, cpu: [0.5, 0.5], open: 0, p50: 1, p99: 2, connections: 10 },
    ...{ done: 10, failed: [] as string[], streams: 2 },
    instances: [0, 1].map(() => ({ rss: 1e8, heap: 5e7, handles: 20 })),
    ...more
  })
  const of = (more: (index: number) => object, webhooks = { changed: 3, received: 3 }) =>
    judge(
      { readings: Array.from({ length: 12 }, (_, index) => reading(index, more(index))), ...webhooks },
      0.1
    )
      .filter(({ isMet }) => !isMet)
      .map(({ what }) => what.split(' ')[0])
  t.same(
    of(() => ({})),
    []
  )
  t.same(
    of((index) => ({ failed: index === 7 ? ['run: 500'] : [] })),
    ['nothing']
  )
  t.same(
    of(() => ({ streams: 0 })),
    ['nothing'],
    'nor does it say well of what was not done'
  )
  t.same(
    of(() => ({}), { changed: 3, received: 2 }),
    ['each']
  )
  t.same(
    of((index) => ({ connections: 10 + 2 * index })),
    ['connections']
  )
  const leaking = (index: number) => ({ rss: 1e8, heap: 5e7 + index * 1e6, handles: 20 + index })
  t.same(
    of((index) => ({ instances: [leaking(0), leaking(index)] })),
    ['heap', 'handles']
  )
  const bursts = (index: number) => ({ rss: 1e8, heap: 5e7, handles: index % 6 > 3 ? 70 : 20 })
  t.same(
    of((index) => ({ instances: [bursts(index), bursts(index + 3)] })),
    [],
    'what comes and goes is no growth'
  )
})
