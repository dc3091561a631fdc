// budget: 8 s, because two instances take a thousand schedules
// tier: long
import t from 'tap'
import { until } from '../../../test/packs/stage.ts'
import { idleOf, mill, millTown, statesOf } from './testbed.ts'

const own = { project: 'default', owner: 'ada', queue: 'mill.grind' }
/** Comes once in four years. */
const seldom = '0 0 29 2 *'

interface Beats {
  readonly beats?: readonly { readonly n: number; readonly dueAt: string }[]
}

t.test('what is to come once comes once, and its schedule goes with it', async (t) => {
  const { home, jobs, transaction, begun } = await millTown(t)
  const { knex } = home.platform
  const ids = () => knex('jobs.schedule').orderBy('id').pluck('id')
  const set = (id: string, at: Date) =>
    transaction((trx) => jobs.schedules.set(trx, { ...own, id, at, data: { n: 1 } }))
  const [soon, late] = [new Date(Date.now() + 300), new Date(Date.now() + 3_600_000)]
  t.same(await set('task_1', soon), soon)
  t.same(await set('task_2', late), late)
  const { data, done } = await begun.next()
  t.same(data, { n: 1, dueAt: soon.toISOString() })
  t.same(await ids(), ['task_2'])
  done()
  await set('task_2', new Date(Date.now() - 60_000))
  const moved = await begun.next()
  t.same(await ids(), [], 'what is past is due at once')
  moved.done()
  t.equal(begun.told.length, 2)
})

t.test(
  'a thousand that are due in the same minute, over two instances: each beat once, fifty a job',
  async (t) => {
    const { home, open, jobs, transaction, begun } = await millTown(t, mill('first', 'concurrency: 4,'))
    await open({ beside: home })
    const { knex } = home.platform
    const schedules = Array.from({ length: 1_000 }, (_, n) => ({ ...own, id: `task_${n}`, data: { n } }))
    await transaction(async (trx) => {
      for (const schedule of schedules)
        await jobs.schedules.set(trx, { ...schedule, cron: seldom, together: 50 })
    })
    const missed = "date_trunc('minute', now()) - interval '30 days'"
    await knex('jobs.schedule').update({ nextAt: knex.raw(missed) })
    const beats: { n: number; dueAt: string }[] = []
    while (beats.length < schedules.length) {
      const { data, done } = await begun.next()
      const { beats: brought = [] } = data as Beats
      t.ok(brought.length <= 50)
      beats.push(...brought)
      done()
    }
    t.equal(new Set(beats.map(({ n }) => n)).size, 1_000)
    t.equal(new Set(beats.map(({ dueAt }) => dueAt)).size, 1)
    await until(
      () => statesOf(home),
      ({ completed = 0, active = 0, created = 0 }) => completed > 0 && active + created === 0
    )
    const { completed = 0 } = await statesOf(home)
    t.equal(completed, begun.told.length)
    t.ok(completed < 40, `${completed} jobs: of thirty days one beat each, and no storm`)
    t.same(await knex('jobs.schedule').whereRaw('"nextAt" <= now()'), [])
  }
)

t.test('beats of several projects are found, and one that runs is not overtaken', async (t) => {
  const { home, jobs, transaction, begun } = await millTown(t, mill('first', 'concurrency: 4,'))
  const { knex } = home.platform
  for (const project of ['a', 'b', 'c'])
    await transaction((trx) =>
      jobs.schedules.set(trx, { ...own, project, id: 'task_1', cron: seldom, together: 2 })
    )
  const missed = () => knex('jobs.schedule').update({ nextAt: knex.raw("now() - interval '1 hour'") })
  await missed()
  const first = [await begun.next(), await begun.next(), await begun.next()]
  await missed()
  await until(
    () => knex('jobs.schedule').whereRaw('"nextAt" <= now()'),
    ({ length }) => length === 0
  )
  t.same(await statesOf(home), { active: 3 })
  for (const { done } of first) done()
  await idleOf(home)
})
