import t from 'tap'
import { until } from '../../../test/packs/stage.ts'
import type { CronParams } from '../contract.ts'
import { nextTime } from '../services/cron.ts'
import { idleOf, mill, millTown, statesOf } from './testbed.ts'

const own = { project: 'default', owner: 'ada', queue: 'mill.grind' }
/** Comes once in four years: what is sent is sent by the test. */
const seldom = '0 0 29 2 *'

t.test('a schedule is set and ended in a transaction, and its beats come as one job at a time', async (t) => {
  const town = await millTown(t, mill('first', 'concurrency: 3,'))
  const { home, open, begun, opened } = town
  let { jobs, transaction } = town
  const { knex } = home.platform
  const set = (schedule: object) =>
    transaction((trx) => jobs.schedules.set(trx, { ...own, id: 'task_1', cron: seldom, ...schedule }))
  const row = () => knex('jobs.schedule').first('cron', 'timezone', 'nextAt', 'job')
  const missed = () => knex('jobs.schedule').update({ nextAt: knex.raw("now() - interval '3 hours'") })
  const remind = () => jobs.send('jobs.beat', { project: own.project, id: 'task_1' })

  await t.rejects(
    transaction(async (trx) => {
      await jobs.schedules.set(trx, { ...own, id: 'task_1', cron: seldom })
      throw new Error('changed my mind')
    })
  )
  t.equal(await row(), undefined)

  await set({ data: { n: 1 } })
  t.match(await row(), { cron: seldom, timezone: 'UTC', job: null })
  await remind()
  await until(
    () => statesOf(home, 'jobs.beat'),
    ({ completed }) => completed === 1
  )
  t.same(await statesOf(home), {}, 'not before its time')

  await missed()
  const dueAt = new Date((await row()).nextAt).toISOString()
  await remind()
  const first = await begun.next()
  t.same(first.data, { n: 1, dueAt }, 'it knows when it was due')
  t.ok(new Date((await row()).nextAt) > new Date(), 'of many missed beats one is caught up')
  await missed()
  await remind()
  await until(row, ({ nextAt }) => new Date(nextAt) > new Date())
  t.same(await statesOf(home), { active: 1 }, 'none while the one before runs')
  first.done()
  await until(
    () => statesOf(home),
    ({ completed }) => completed === 1
  )

  await set({ data: { n: 2 }, cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' })
  t.match(await row(), { cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' })
  await missed()
  await home.close()
  await open({ beside: home })
  ;({ jobs, transaction } = await opened.next())
  const second = await begun.next()
  t.match(second.data, { n: 2 }, 'after a restart what was missed comes by itself, once')
  second.done()

  await transaction((trx) => jobs.schedules.remove(trx, own.project, 'task_1'))
  await remind()
  await transaction((trx) => jobs.schedules.remove(trx, own.project, 'task_1'))
  t.equal(begun.told.length, 2)
})

t.test('an interval goes on from when it was due, however late its beat is taken', async (t) => {
  const { home, jobs, transaction, begun } = await millTown(t)
  const { knex } = home.platform
  const minutes = (from: unknown, to: unknown) => (Number(to) - Number(from)) / 60_000
  const nextAt = () => jobs.schedules.nextAt(own.project, 'task_1')
  t.equal(await nextAt(), undefined)
  const before = Date.now()
  await transaction((trx) => jobs.schedules.set(trx, { ...own, id: 'task_1', everyMinutes: 45 }))
  const first = minutes(before, await nextAt())
  t.ok(first >= 45 && first < 50, `${first} minutes after it was set`)

  const beat = async (shift: string) => {
    await knex('jobs.schedule').update({
      nextAt: knex.raw(`date_trunc('minute', now()) + ?::interval`, [shift])
    })
    const due = await nextAt()
    await jobs.send('jobs.beat', { project: own.project, id: 'task_1' })
    const { data, done } = await begun.next()
    t.same(data, { dueAt: due?.toISOString() })
    done()
    await until(nextAt, (next) => Number(next) > Number(due))
    await idleOf(home)
    return minutes(due, await nextAt())
  }
  t.equal(await beat('-1 minute'), 45)
  t.equal(
    await beat('-100 minutes'),
    135,
    'those that were missed are left out, the others come when they would have'
  )
  t.equal(await beat('-30 days'), 30 * 24 * 60 + 45)
})

t.test('what is no schedule is refused when it is set', async (t) => {
  const { home, jobs, transaction } = await millTown(t)
  const refused = (schedule: object, param: string, params?: CronParams) =>
    transaction((trx) =>
      jobs.schedules.set(trx, { ...own, id: 'task_1', cron: '* * * * *', ...schedule }, params)
    ).then(
      () => t.fail(JSON.stringify(schedule)),
      (error) => t.match(error, { kind: 'invalid', param })
    )
  for (const cron of [
    '',
    '* * * *',
    '* * * * * *',
    '@reboot',
    '60 * * * *',
    '0 0 31 2 *',
    'H * * * *',
    'a b c d e'
  ])
    await refused({ cron }, '/cron')
  await refused({ cron: `${'0,'.repeat(100)}0 * * * *` }, '/cron')
  t.throws(() => jobs.schedules.check('60 * * * *', 'UTC'), /"60" is not a valid minute \(0 to 59\)/)
  for (const timezone of ['', 'Mars/Base', '+01:00', 'Europe/berlin/x'])
    await refused({ timezone }, '/timezone')
  const params = { cron: '/cronExpression', timezone: '/zone' }
  await refused({ cron: 'no' }, '/cronExpression', params)
  await refused({ timezone: 'no' }, '/zone', params)
  t.throws(
    () => jobs.schedules.check('no', 'UTC', params),
    /cronExpression is not a valid cron expression: it must have five fields/
  )
  t.doesNotThrow(() => jobs.schedules.check('0 9 * * *', 'Europe/Berlin'))
  t.same(await home.platform.knex('jobs.schedule').pluck('id'), [])
})

t.test('a schedule whose next time cannot be calculated is retried, and all others continue', async (t) => {
  const lines: Record<string, unknown>[] = []
  const log = (line: Record<string, unknown>) => void lines.push(line)
  const { home, jobs, transaction, begun } = await millTown(t, mill('first', 'concurrency: 9,'), {}, { log })
  const { knex } = home.platform
  const ids = ['first', 'unknown zone', 'never', 'last']
  for (const project of ['default', 'other'])
    for (const id of ids)
      await transaction((trx) =>
        jobs.schedules.set(trx, { ...own, project, id: `${project} ${id}`, cron: seldom, data: { id } })
      )
  // Such as the rows of a zone that the next version of the time zone database does not have.
  await knex('jobs.schedule').where('id', 'like', '% unknown zone').update({ timezone: 'Mars/Base' })
  await knex('jobs.schedule').where('id', 'like', '% never').update({ cron: '0 0 31 2 *' })
  const makeDue = () => knex('jobs.schedule').update({ nextAt: knex.raw("now() - interval '1 minute'") })
  const come = async (count: number) => {
    const came = []
    while (came.length < count) came.push(await begun.next())
    for (const { done } of came) done()
    await idleOf(home)
    return came.map(({ data }) => (data as { id: string }).id).sort()
  }
  await makeDue()
  t.same(await come(8), ids.flatMap((id) => [id, id]).sort(), 'each that is due comes, in each project')
  t.match(await jobs.schedules.errorOf('default', 'default unknown zone'), /Invalid time zone/)
  t.equal(await jobs.schedules.errorOf('other', 'other never'), 'never occurs')
  t.equal(await jobs.schedules.errorOf('default', 'default first'), null)
  const retryAt = await jobs.schedules.nextAt('default', 'default never')
  const untilRetry = (retryAt?.getTime() ?? 0) - Date.now()
  t.ok(untilRetry > 50 * 60_000 && untilRetry < 61 * 60_000, 'in an hour')

  await makeDue()
  await jobs.send('jobs.beat', {})
  t.same(await come(4), ['first', 'first', 'last', 'last'], 'a retry of the calculation is not a beat')
  const reported = lines.filter(({ msg }) => String(msg).startsWith('the next time of a schedule'))
  t.same(
    reported.map(({ schedule }) => schedule).sort(),
    ['default never', 'default unknown zone', 'other never', 'other unknown zone'],
    'each is logged once'
  )

  await knex('jobs.schedule').update({ timezone: 'UTC', cron: seldom })
  await makeDue()
  await jobs.send('jobs.beat', {})
  t.same(await come(4), ['first', 'first', 'last', 'last'])
  t.equal(
    await jobs.schedules.errorOf('default', 'default unknown zone'),
    null,
    'what can be calculated again'
  )
  await makeDue()
  await jobs.send('jobs.beat', {})
  t.equal((await come(8)).length, 8, 'beats again')
})

t.test('over a change of daylight saving a beat comes once', async (t) => {
  const times = (cron: string, from: string, count: number) => {
    const all: string[] = []
    for (let at = new Date(from); all.length < count; ) {
      at = nextTime(cron, 'America/New_York', at)
      all.push(at.toISOString())
    }
    return all.map((it) => it.slice(5, 16))
  }
  t.same(
    times('30 1 * * *', '2026-10-31T12:00Z', 2),
    ['11-01T05:30', '11-02T06:30'],
    'a time that comes twice'
  )
  t.same(
    times('30 2 * * *', '2026-03-07T12:00Z', 2),
    ['03-08T07:30', '03-09T06:30'],
    'a time that does not come'
  )
  t.same(times('0 * * * *', '2026-11-01T04:30Z', 3), ['11-01T05:00', '11-01T06:00', '11-01T07:00'])
})
