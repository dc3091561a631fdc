// budget: 7 s, because what comes back after 30 days is awaited
import t from 'tap'
import { databaseWithClock } from '../../../test/clock.ts'
import { until } from '../../../test/packs/stage.ts'
import { idleOf, mill, millTown, statesOf } from './testbed.ts'

const own = { project: 'default', owner: 'ada', queue: 'mill.grind' }
const MINUTE_MS = 60_000
const DAYS = 30

t.test('the clock is 30 days ahead for a while: one beat each, and none is silent after it', async (t) => {
  const clock = await databaseWithClock(t, [])
  const { home, jobs, transaction, begun } = await millTown(t, mill('first', 'concurrency: 9,'), {}, clock)
  const { knex } = home.platform
  const at = new Date(Date.now() + 40 * 24 * 60 * MINUTE_MS)
  const timings = {
    often: { everyMinutes: 45 },
    daily: { cron: '0 9 * * *', timezone: 'Europe/Berlin' },
    once: { at },
    yearly: { everyMinutes: 365 * 24 * 60 }
  }
  const set = (id: keyof typeof timings) =>
    transaction((trx) => jobs.schedules.set(trx, { ...own, id, data: { id }, ...timings[id] }))
  const nextAt = (id: string) => jobs.schedules.nextAt(own.project, id) as Promise<Date>
  const first = { often: await set('often'), daily: await set('daily') }
  const last = { once: await set('once'), yearly: await set('yearly') }
  const nameOf = ({ data }: { data: object }) => (data as { id: string }).id

  await clock.shift(`${DAYS} days`)
  const came = [await begun.next(), await begun.next()]
  t.same(came.map(nameOf).sort(), ['daily', 'often'])
  t.match(
    came.map(({ data }) => data),
    came.map((it) => ({ dueAt: first[nameOf(it) as 'often'].toISOString() })),
    'each is the one that was due first'
  )
  for (const { done } of came) done()
  await idleOf(home)
  await jobs.send(own.queue, { id: 'again' })
  const failing = await begun.next()
  failing.fail(new Error('It is tried again'))
  await until(
    () => statesOf(home),
    ({ retry }) => retry === 1
  )
  await until(
    () => knex('pgboss.version').whereRaw(`cron_on > now() - interval '1 minute'`),
    ({ length }) => length === 1
  )
  t.ok((await nextAt('daily')).getTime() > Date.now() + (DAYS - 1) * 24 * 60 * MINUTE_MS)

  await clock.shift('0')
  const isNear = (minutes: number) => (next: Date) => next.getTime() <= Date.now() + minutes * MINUTE_MS
  t.ok((await until(() => nextAt('often'), isNear(45))).getTime() > Date.now())
  t.same(await until(() => nextAt('daily'), isNear(24 * 60)), first.daily, 'as it was before')
  t.same([await nextAt('once'), await nextAt('yearly')], [last.once, last.yearly], 'what is right is left')
  const again = await begun.next()
  t.equal(nameOf(again), 'again', 'and what failed meanwhile is tried again')
  again.done()
  await until(
    () => knex('pgboss.version').whereRaw('cron_on > now()'),
    ({ length }) => length === 0
  )
  t.equal(begun.told.length, 4, 'nothing else came')
})

t.test('the clock is an hour back: no beat comes again, and those to come come once', async (t) => {
  const clock = await databaseWithClock(t, [])
  const { home, jobs, transaction, begun } = await millTown(t, mill('first', 'concurrency: 9,'), {}, clock)
  const set = (id: string, timing: object) =>
    transaction((trx) => jobs.schedules.set(trx, { ...own, id, data: { id }, ...timing } as never))
  const nextAt = () => jobs.schedules.nextAt(own.project, 'often') as Promise<Date>
  const due = await set('often', { everyMinutes: 30 })
  await clock.shift('31 minutes')
  const beat = await begun.next()
  t.match(beat.data, { id: 'often', dueAt: due.toISOString() })
  beat.done()
  await idleOf(home)
  const next = await nextAt()
  t.equal(next.getTime(), due.getTime() + 30 * MINUTE_MS)

  await clock.shift('-29 minutes')
  // By the clock as it is now; what was due before it is long over when this has come.
  await set('seen', { at: new Date(Date.now() - 29 * MINUTE_MS) })
  const seen = await begun.next()
  t.match(seen.data, { id: 'seen' })
  seen.done()
  t.same(await nextAt(), next, 'it waits')
  await clock.shift('61 minutes')
  const second = await begun.next()
  t.match(second.data, { id: 'often', dueAt: next.toISOString() })
  second.done()
  await idleOf(home)
  t.equal(begun.told.length, 3)
})

t.test('so many seconds from now are seconds of the clock of the database', async (t) => {
  const clock = await databaseWithClock(t, [])
  const { home, jobs, begun } = await millTown(t, mill(), {}, clock)
  await clock.shift('-3 hours')
  await jobs.send(own.queue, { id: 'later' }, { inSeconds: 3_600 })
  const [job] = await home.platform.knex('pgboss.job').where({ name: own.queue })
  const ahead = Date.parse(job.start_after) - Date.now()
  t.ok(Math.abs(ahead + 2 * 60 * MINUTE_MS) < MINUTE_MS, `two hours before now, here: ${ahead}`)
  await jobs.send(own.queue, { id: 'now' })
  const first = await begun.next()
  t.match(first.data, { id: 'now' })
  first.done()
  await clock.shift('-119 minutes')
  const second = await begun.next()
  t.match(second.data, { id: 'later' })
  second.done()
})

t.test('the clock is put right while the platform is down: what starts then sets it anew', async (t) => {
  const clock = await databaseWithClock(t, [])
  const { home, open, jobs, transaction, begun, opened } = await millTown(t, mill(), {}, clock)
  await transaction((trx) => jobs.schedules.set(trx, { ...own, id: 'often', everyMinutes: 45 }))
  await clock.shift(`${DAYS} days`)
  ;(await begun.next()).done()
  await until(
    () => home.platform.knex('pgboss.version').whereRaw(`cron_on > pg_catalog.now() + interval '29 days'`),
    ({ length }) => length === 1
  )
  await home.close()
  await clock.shift('0')
  await open()
  const { jobs: later } = await opened.next()
  const isNear = (next?: Date) => next !== undefined && next.getTime() <= Date.now() + 45 * MINUTE_MS
  await until(() => later.schedules.nextAt(own.project, 'often'), isNear)
  t.equal(begun.told.length, 1)
})
