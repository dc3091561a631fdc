// tier: whole
// servers: PostgreSQL and Redis
import t from 'tap'
import type { Booted } from '../../../test/boot.ts'
import { boot } from '../../../test/boot.ts'
import { database } from '../../../test/database.ts'
import { until } from '../../../test/packs/stage.ts'
import { millTown, statesOf } from './testbed.ts'

t.test('two instances share the jobs of a queue, and each job is done once', async (t) => {
  const { home, open, begun, jobs } = await millTown(t)
  await open({ beside: home })
  for (const n of [1, 2]) await jobs.send('mill.grind', { n })
  const both = [await begun.next(), await begun.next()]
  t.equal(new Set(both.map(({ instance }) => instance)).size, 2)
  t.same(both.map(({ data }) => data.n).sort(), [1, 2])
  for (const { done } of both) done()
  await Promise.all(Array.from({ length: 40 }, (_, i) => jobs.send('mill.grind', { n: 3 + i })))
  for (let n = 3; n <= 42; n++) (await begun.next()).done()
  await until(
    () => statesOf(home),
    ({ completed }) => completed === 42
  )
  t.same(
    begun.told.map(({ data }) => data.n).sort((a = 0, b = 0) => a - b),
    Array.from({ length: 42 }, (_, i) => i + 1)
  )
})

t.test('instances that start at the same time on an empty database all work', async (t) => {
  const { connection, knex } = await database(t)
  const beside = { connection } as Booted
  const booted = await Promise.all([1, 2, 3].map(() => boot(t, { packs: ['access', 'jobs'], beside })))
  for (const { anyone } of booted)
    t.match((await anyone.get('/health')).body.data.packs, { up: ['access', 'jobs'], failed: [] })
  t.same(await knex('pgboss.version').count(), [{ count: '1' }])
})
