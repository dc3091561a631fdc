import t from 'tap'
import type { Booted } from '../../../test/boot.ts'
import { database } from '../../../test/database.ts'
import { until } from '../../../test/packs/stage.ts'
import { proxy } from '../../../test/proxy.ts'
import { mill, millTown, statesOf } from './testbed.ts'

for (const how of ['cut', 'hang'] as const)
  t.test(`a database that goes (${how}) and comes back: few words, nothing lost`, async (t) => {
    const { connection } = await database(t)
    const { host = '', port = 5432 } = connection
    const way = await proxy(t, host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
    const lines: Record<string, unknown>[] = []
    const { home, begun, jobs } = await millTown(
      t,
      mill('first', 'concurrency: 5,'),
      {},
      {
        beside: { connection: { ...connection, host: way.host, port: way.port } } as Booted,
        log: (line) => void (line.pack === 'jobs' && Number(line.level) >= 40 && lines.push(line))
      }
    )
    await jobs.send('mill.grind', { n: 1 })
    const first = await begun.next()
    const away = Promise.withResolvers<void>()
    using _ = home.platform.presence.onChange((connected) => connected || away.resolve())
    if (how === 'cut') way.cut()
    else way.hang()
    await away.promise
    await t.rejects(jobs.send('mill.grind', { n: 2 }))
    first.done()
    await until(
      async () => lines.length,
      (count) => count > 0
    )
    way.mend()
    const sent = () =>
      jobs.send('mill.grind', { n: 3 }).then(
        () => true,
        () => false
      )
    await until(sent, Boolean)
    // The end of the first one may not have been written down: then it comes again.
    const all = await until(
      async () => {
        for (const { done } of begun.told) done()
        return statesOf(home)
      },
      ({ completed }) => completed === 2
    )
    t.same(all, { completed: 2 })
    t.same([...new Set(begun.told.map(({ data }) => data.n))].sort(), [1, 3])
    t.ok(lines.length < 15, `${lines.length} lines`)
    t.equal(new Set(lines.map(({ reason }) => reason)).size, lines.length, 'nothing twice')
  })
