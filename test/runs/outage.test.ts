// tier: whole
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import t from 'tap'
import type { Booted } from '../boot.ts'
import { database } from '../database.ts'
import { until } from '../packs/stage.ts'
import { proxy } from '../proxy.ts'
import { faultsOf } from './account.ts'
import type { Scope } from './place.ts'
import { read } from './reader.ts'
import type { Begun, Town } from './town.ts'
import { town } from './town.ts'

/** How long the database is away: longer than its answer is waited for, shorter than anybody's patience. */
const AWAY_MS = 2_000
const calls = [['again'], ['once'], ['again', 'once']]

async function wayTo(t: Scope, { host = '', port = 5432, ...connection }: pg.ClientConfig) {
  const way = await proxy(t, host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
  return { way, connection: { ...connection, host: way.host, port: way.port } }
}

/** Runs that are at different places, each of its own length. */
async function scattered(place: Town, at: Town | Awaited<ReturnType<Town['beside']>>, count: number) {
  const runs: Begun[] = []
  for (let run = 0; run < count; run++) {
    const story = place.story({ calls: calls.slice(run % 3), words: 12 + 5 * run, pace: 10 })
    runs.push(await place.begin(at, story, {}, { elsewhere: place }))
  }
  return runs
}

t.test('PostgreSQL is away in the middle of runs, in three ways', async (t) => {
  const ways = ['cut', 'hang', 'deafen'] as const
  await Promise.all(
    ways.map(async (how) => {
      const { way, connection } = await wayTo(t, (await database(t)).connection)
      const place = await town(t, { beside: { connection } as Booted })
      const runs = await scattered(place, place, 6)
      await runs[0]?.reader.until(({ step }) => step === 2)
      way[how]()
      await delay(AWAY_MS)
      way.mend()
      for (const run of runs) t.same(await faultsOf(place, run), [], `${how}: ${run.story.name}`)
    })
  )
})

t.test('PostgreSQL ends every connection', async (t) => {
  const place = await town(t)
  const runs = await scattered(place, place, 6)
  await runs[0]?.reader.until(({ step }) => step === 2)
  const client = new pg.Client(place.home.connection)
  await client.connect()
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`
  )
  await client.end()
  for (const run of runs) t.same(await faultsOf(place, run), [])
})

t.test('an instance that was cut off, and whose runs went on elsewhere, writes no more', async (t) => {
  const place = await town(t)
  const { way, connection } = await wayTo(t, place.home.connection)
  const lost = await place.beside({ beside: { connection } as Booted })
  const runs = await scattered(place, lost, 6)
  const others = await Promise.all(runs.map(({ id }) => read(t, place, { runId: id })))
  await runs[0]?.reader.until(({ step }) => step === 2)
  way.cut()
  await Promise.all(others.map((other) => other.until(({ status }) => status === 'resumed')))
  // Here they go on, there the same replies of the model still come.
  way.mend()
  await until(
    async () => lost.platform.presence.connected,
    (connected) => connected
  )
  for (const [index, run] of runs.entries()) {
    t.same(await faultsOf(place, run), [], run.story.name)
    t.equal(run.reader.resumed, 0, 'who reads there goes on, too')
    await others[index]?.over
    t.same(others[index]?.lines, run.reader.lines)
  }
  const again = await place.begin(lost, place.story({ calls: [['once']] }))
  t.same(await faultsOf(place, again), [], 'it has its part again')
})
