import t from 'tap'
import { until } from '../../../test/packs/stage.ts'
import { idleOf, mill, millTown, statesOf } from './testbed.ts'

t.test('jobs of a pack that is off wait, also those of a queue that nobody knew', async (t) => {
  const { home, begun, jobs } = await millTown(t)
  t.match(await home.admin.put('/v1/packs/mill', { enabled: false }), { status: 200 })
  await jobs.send('mill.grind', { n: 1 })
  await jobs.send('mill.sieve', { n: 2 })
  t.same(await statesOf(home), { created: 1 })
  t.match(await home.admin.put('/v1/packs/mill', { enabled: true }), { status: 200 })
  const { data, done } = await begun.next()
  t.same(data, { n: 1 })
  done()
  await idleOf(home)
  t.same(await statesOf(home, 'mill.sieve'), { created: 1 })
})

t.test('a job that runs stays in its version, and the next one comes to the next', async (t) => {
  const { home, write, begun, jobs } = await millTown(t)
  await jobs.send('mill.grind', { n: 1 })
  await jobs.send('mill.grind', { n: 2 })
  const first = await begun.next()
  await write('mill', mill('second', 'concurrency: 2,'))
  t.match(await home.admin.post('/v1/packs/mill/reload'), { status: 200 })
  const second = await begun.next()
  t.match(second, { version: 'second', data: { n: 2 } }, 'as soon as there is room for it')
  t.notOk(first.signal.aborted)
  first.done()
  second.done()
  await idleOf(home)
  await jobs.send('mill.grind', { n: 3 })
  const third = await begun.next()
  t.match(third, { version: 'second', data: { n: 3 } })
  third.done()
  await idleOf(home)
  t.same(await statesOf(home), { completed: 3 })
})

t.test('a job goes on while the queues themselves are reloaded, and while they change', async (t) => {
  const { home, begun, jobs } = await millTown(t)
  await jobs.send('mill.grind', { n: 1 })
  const first = await begun.next()
  t.match(await home.admin.post('/v1/packs/jobs/reload'), { status: 200 })
  t.match(await home.admin.put('/v1/packs/jobs', { settings: { cronSeconds: 2 } }), { status: 200 })
  await jobs.send('mill.grind', { n: 2 })
  const second = await begun.next()
  t.same(second.data, { n: 2 })
  second.done()
  first.done()
  await idleOf(home)
  t.same(await statesOf(home), { completed: 2 })
  t.equal(begun.told.length, 2)
})

t.test('without the queues nothing runs, and with them it does', async (t) => {
  const { home, begun, opened, jobs } = await millTown(t)
  await jobs.send('mill.grind', { n: 1 }, { at: new Date(Date.now() + 500) })
  t.match(await home.admin.put('/v1/packs/mill', { enabled: false }), { status: 200 })
  t.match(await home.admin.put('/v1/packs/jobs', { enabled: false }), { status: 200 })
  t.match(await home.admin.put('/v1/packs/jobs', { enabled: true }), { status: 200 })
  t.match(await home.admin.put('/v1/packs/mill', { enabled: true }), { status: 200 })
  const { data, done } = await begun.next()
  t.same(data, { n: 1 })
  done()
  const again = await opened.next()
  await again.jobs.send('mill.grind', { n: 2 })
  ;(await begun.next()).done()
})

t.test('a process that leaves tells its jobs, and another takes on what they left', async (t) => {
  const { home, open, begun, jobs } = await millTown(t, mill('first', 'retries: 0,'))
  const leaving = await open({ beside: home })
  for (const n of [1, 2]) await jobs.send('mill.grind', { n })
  const both = [await begun.next(), await begun.next()]
  const there = leaving.platform.presence.id()
  const [left] = both.filter(({ instance }) => instance === there)
  const [stays] = both.filter(({ instance }) => instance !== there)
  left?.signal.addEventListener('abort', () => left.fail(new Error('told to stop')))
  await leaving.close()
  t.ok(left?.signal.aborted)
  t.notOk(stays?.signal.aborted)
  stays?.done()
  const again = await begun.next()
  t.same(again.data, left?.data, 'though it had no other try')
  again.done()
  await idleOf(home)
  t.same(await statesOf(home), { completed: 2 })
})

t.test('a process does not wait for a job that does not listen', async (t) => {
  const { home, open, begun, jobs } = await millTown(t, mill('first', 'retries: 0,'), { drainSeconds: 0 })
  await jobs.send('mill.grind', { n: 1 })
  const deaf = await begun.next()
  await home.platform.close(100)
  t.ok(deaf.signal.aborted)
  const next = await open({ beside: home })
  const again = await begun.next()
  t.same(again.data, { n: 1 })
  deaf.done()
  again.done()
  await idleOf(next)
  t.same(await statesOf(next), { completed: 1 })
})

t.test('schedules follow their workers, and a beat that nobody took is caught up once', async (t) => {
  const everyMinute = `retries: 3, cron: '* * * * *',`
  const { home, write, begun } = await millTown(t, mill('first', everyMinute))
  const schedules = () => home.platform.knex('pgboss.schedule').where({ name: 'mill.grind' }).pluck('cron')
  const beat = await begun.next()
  t.same(beat.data, {}, 'without data')
  beat.done()
  t.same(await schedules(), ['* * * * *'])
  await write('mill', mill('second', `cron: '0 4 * * 1',`))
  t.match(await home.admin.post('/v1/packs/mill/reload'), { status: 200 })
  await until(schedules, ([cron]) => cron === '0 4 * * 1')
  t.match(await home.admin.put('/v1/packs/mill', { enabled: false }), { status: 200 })
  await home.platform.knex.transaction(async (trx) => {
    // As if no instance had been there for three hours.
    const before = trx.raw(`now() - interval '3 h'`)
    await trx('pgboss.schedule').update({ cron: '* * * * *', created_on: before })
    await trx('pgboss.version').update({ cron_on: before })
  })
  await until(
    () => statesOf(home),
    ({ created }) => created === 1
  )
  await write('mill', mill('third'))
  t.match(await home.admin.put('/v1/packs/mill', { enabled: true }), { status: 200 })
  t.match(await home.admin.post('/v1/packs/mill/reload'), { status: 200 })
  ;(await begun.next()).done()
  await until(schedules, ({ length }) => length === 0)
  await idleOf(home)
  t.same(await statesOf(home), { completed: 2 })
})

t.test('a contribution that makes no sense is told of, and is in nobody’s way', async (t) => {
  const lines: Record<string, unknown>[] = []
  const log = (line: Record<string, unknown>) => void lines.push(line)
  const { begun, jobs, home, write } = await millTown(t, mill(), {}, { log })
  const files = mill('second', `cron: 'at noon',`)
  const stray = `{ key: 'jobs.deadline', make: () => ({ work: async () => undefined }) },`
  await write('mill', {
    'pack.ts': files['pack.ts'].replace(`'jobs.worker': [`, `'jobs.worker': [${stray}`)
  })
  t.match(await home.admin.post('/v1/packs/mill/reload'), { status: 200 })
  await until(
    async () =>
      lines.filter(({ reason }) => /mill.grind: at noon is not a valid cron expression/.test(String(reason))),
    ({ length }) => length > 0
  )
  t.match(
    lines.filter(({ misfit }) => misfit),
    [{ level: 50, misfit: 'mill: jobs.deadline' }]
  )
  await jobs.send('mill.grind', { n: 1 })
  const { data, version, done } = await begun.next()
  t.match({ data, version }, { data: { n: 1 }, version: 'second' })
  done()
})
