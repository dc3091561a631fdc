import type { Trx } from 'agent-platform'
import t from 'tap'
import { until } from '../../../test/packs/stage.ts'
import { idleOf, millTown, statesOf } from './testbed.ts'

const project = 'default'
const hour = () => new Date(Date.now() + 3_600_000)
const soon = (ms = 300) => new Date(Date.now() + ms)

async function staged(t: Parameters<typeof millTown>[0]) {
  const town = await millTown(t)
  const { jobs, transaction, home } = town
  let count = 0
  const open = async (deadline: Date, more: object = {}) => {
    const wait = { project, id: `wait_${++count}`, owner: 'ada', waiter: 'mill', subject: 'run_1', deadline }
    await transaction((trx) => jobs.waits.open(trx, { ...wait, ...more }))
    return { ...wait, ...more }
  }
  const within = <T>(work: (trx: Trx, waits: typeof jobs.waits) => Promise<T>) =>
    transaction((trx) => work(trx, jobs.waits))
  const settle = (id: string) => within((trx, waits) => waits.settle(trx, project, id))
  const expire = (id: string) => within((trx, waits) => waits.expire(trx, project, id))
  const outcomes = async (): Promise<Record<string, string | null>> =>
    Object.fromEntries(
      (await home.platform.knex('jobs.wait').select('id', 'outcome')).map((it) => [it.id, it.outcome])
    )
  const beside = (options: object = {}) => town.open({ beside: home, ...options })
  return { ...town, beside, open, within, settle, expire, outcomes }
}

t.test('of twenty who answer exactly one gets through', async (t) => {
  const { open, settle, outcomes } = await staged(t)
  const { id } = await open(hour())
  const settled = await Promise.allSettled(Array.from({ length: 20 }, () => settle(id)))
  t.equal(settled.filter(({ status }) => status === 'fulfilled').length, 1)
  const refused = settled.flatMap((it) => (it.status === 'rejected' ? [it.reason] : []))
  for (const reason of refused) t.match(reason, { kind: 'conflict', code: 'already_settled' })
  t.same(await outcomes(), { [id]: 'answered' })
})

t.test('an answer that was rolled back leaves room for the next one', async (t) => {
  const { open, within, settle, expire, outcomes } = await staged(t)
  const { id } = await open(hour())
  const refused = within(async (trx, waits) => {
    await waits.settle(trx, project, id)
    throw new Error('after all not')
  })
  await t.rejects(refused, { message: 'after all not' })
  t.equal(await expire(id), false, 'it is not due')
  await settle(id)
  t.same(await outcomes(), { [id]: 'answered' })
})

t.test('what nobody waits for is 404', async (t) => {
  const { open, settle, expire } = await staged(t)
  await open(hour(), { project: 'other', id: 'wait_far' })
  for (const id of ['wait_far', 'wait_none']) {
    await t.rejects(settle(id), { kind: 'notFound', message: 'Wait not found' })
    t.equal(await expire(id), false)
  }
})

t.test('a wait that is given up can be answered no more, nor does it expire', async (t) => {
  const { home, open, within, settle, outcomes, told } = await staged(t)
  const [one, two, late] = [await open(hour()), await open(hour()), await open(soon(4_000))]
  await open(hour(), { id: 'wait_else', subject: 'run_2' })
  await open(hour(), { id: 'wait_far', project: 'other' })
  await settle(one.id)
  await within((trx, waits) => waits.abandon(trx, project, 'run_1'))
  t.same(await outcomes(), {
    [one.id]: 'answered',
    [two.id]: 'abandoned',
    [late.id]: 'abandoned',
    wait_else: null,
    wait_far: null
  })
  await t.rejects(settle(two.id), { code: 'already_settled' })
  await until(
    () => statesOf(home, 'jobs.deadline'),
    ({ completed }) => completed === 1
  )
  t.same(told.told, [])
})

t.test('a wait that was rolled back never was', async (t) => {
  const { home, within, outcomes } = await staged(t)
  const wait = { project, id: 'wait_x', owner: 'ada', waiter: 'mill', subject: 'run_1', deadline: soon() }
  const refused = within(async (trx, waits) => {
    await waits.open(trx, wait)
    throw new Error('not now')
  })
  await t.rejects(refused, { message: 'not now' })
  t.same(await outcomes(), {})
  t.same(await statesOf(home, 'jobs.deadline'), {})
})

t.test(
  'at its deadline the waiter is told once, over two instances, and answers come too late',
  async (t) => {
    const { home, beside, open, settle, expire, outcomes, told } = await staged(t)
    const other = await beside()
    const wait = await open(soon())
    const { wait: heard, done } = await told.next()
    t.same(heard, wait)
    await t.rejects(settle(wait.id), { kind: 'conflict', code: 'already_settled' })
    t.equal(await expire(wait.id), true)
    t.equal(await expire(wait.id), false)
    done()
    await idleOf(home, 'jobs.deadline')
    t.same(await statesOf(other, 'jobs.deadline'), { completed: 1 })
    t.same(await outcomes(), { [wait.id]: 'expired' })
    t.equal(told.told.length, 1)
  }
)

t.test('a waiter that fails is told again; one that settles nothing is not', async (t) => {
  const { home, open, outcomes, told } = await staged(t)
  const { id } = await open(soon())
  ;(await told.next()).fail(new Error('not now'))
  const again = await told.next()
  t.same(again.wait.id, id)
  again.done()
  await idleOf(home, 'jobs.deadline')
  t.same(await outcomes(), { [id]: 'expired' })
})

t.test('a deadline that passes while the waiter’s pack is off is told of when it is on', async (t) => {
  const { home, open, told } = await staged(t)
  const answered = await open(soon(4_000), { id: 'wait_nobody', waiter: 'nobody' })
  const { id } = await open(soon(4_000))
  t.match(await home.admin.put('/v1/packs/mill', { enabled: false }), { status: 200 })
  await until(
    () => statesOf(home, 'jobs.deadline'),
    ({ completed = 0 }) => completed >= 2
  )
  // However long that takes: nothing reminds of it any more.
  await home.platform.knex('pgboss.job').where({ name: 'jobs.deadline' }).delete()
  t.match(await home.admin.put('/v1/packs/mill', { enabled: true }), { status: 200 })
  const { wait, done } = await told.next()
  t.equal(wait.id, id)
  t.not(wait.id, answered.id)
  done()
})

t.test('a deadline is told of by the instance that has the pack', async (t) => {
  const { home, beside, open, told } = await staged(t)
  const elsewhere = await beside({ packs: ['access', 'jobs'], deployment: {} })
  const here = home.platform.presence.id()
  const waits = await Promise.all(Array.from({ length: 6 }, () => open(soon())))
  for (const _ of waits) {
    const { instance, done } = await told.next()
    t.equal(instance, here)
    done()
  }
  t.same(told.told.map(({ wait }) => wait.id).sort(), waits.map(({ id }) => id).sort())
  await elsewhere.close()
})

t.test('what was settled long ago is removed, and what waits stays', async (t) => {
  const { home, open, settle, outcomes, jobs } = await staged(t)
  const { knex } = home.platform
  const [old, fresh, waiting] = [await open(hour()), await open(hour()), await open(hour())]
  for (const { id } of [old, fresh]) await settle(id)
  const before = knex.raw(`now() - interval '8 days'`)
  await knex('jobs.wait').where({ id: old.id }).update({ settledAt: before })
  await jobs.send('jobs.cleanup', {})
  await until(outcomes, (left) => !(old.id in left))
  t.same(await outcomes(), { [fresh.id]: 'answered', [waiting.id]: null })
  await t.rejects(settle(old.id), { kind: 'notFound', message: 'Wait not found' })
})

t.test('what is overdue for long is told of again and again', async (t) => {
  const { home, open, told, jobs } = await staged(t)
  const { knex } = home.platform
  const { id } = await open(hour())
  await knex('pgboss.job').where({ name: 'jobs.deadline' }).delete()
  await knex('jobs.wait').update({ deadline: knex.raw(`now() - interval '6 minutes'`) })
  await jobs.send('jobs.overdue', {})
  const { wait, done } = await told.next()
  t.equal(wait.id, id)
  done()
})
