import t from 'tap'
import { until } from '../../../test/packs/stage.ts'
import { idleOf, mill, millTown, statesOf } from './testbed.ts'

t.test('a job reaches its worker at once, and is over when the worker says so', async (t) => {
  const { home, begun, jobs } = await millTown(t, mill(), { pollSeconds: 60 })
  await jobs.send('mill.grind', { n: 1 })
  const { data, signal, done } = await begun.next()
  t.same(data, { n: 1 })
  t.notOk(signal.aborted)
  t.same(await statesOf(home), { active: 1 })
  done()
  await idleOf(home)
  t.same(await statesOf(home), { completed: 1 })
  await jobs.send('mill.grind', { n: 2 })
  await jobs.send('mill.grind', { n: 3 })
  for (const n of [2, 3]) {
    const next = await begun.next()
    t.equal(next.data.n, n, 'an executor that is done looks for more')
    next.done()
  }
})

t.test('a job of a transaction is sent with it, and not without it', async (t) => {
  const { home, begun, jobs, transaction } = await millTown(t, mill(), { pollSeconds: 60 })
  const refused = transaction(async (trx) => {
    await jobs.send('mill.grind', { n: 1 }, { trx })
    throw new Error('changed my mind')
  })
  await t.rejects(refused, { message: 'changed my mind' })
  await transaction(async (trx) => {
    await jobs.send('mill.grind', { n: 2 }, { trx })
    t.same(await statesOf(home), {}, 'nobody sees it yet')
  })
  const { data, done } = await begun.next()
  t.same(data, { n: 2 })
  t.same(await statesOf(home), { active: 1 })
  done()
})

t.test('a job comes not before its time', async (t) => {
  const { home, begun, jobs } = await millTown(t)
  await jobs.send('mill.grind', { n: 1 }, { at: new Date(Date.now() + 3_000) })
  await jobs.send('mill.grind', { n: 2 }, { at: new Date(Date.now() - 60_000) })
  for (const n of [2, 1]) {
    const { data, done } = await begun.next()
    t.equal(data.n, n)
    done()
  }
  const early = await home.platform.knex('pgboss.job').whereRaw('started_on < start_after').pluck('id')
  t.same(early, [])
})

t.test('of jobs with one key only one waits, with what was said last', async (t) => {
  const { home, begun, jobs, transaction } = await millTown(t)
  const later = new Date(Date.now() + 3_600_000)
  await jobs.send('mill.grind', { n: 1 }, { key: 'one', at: later })
  await jobs.send('mill.grind', { n: 2 }, { key: 'other', at: later })
  t.same(await statesOf(home), { created: 2 })
  await transaction(async (trx) => {
    await jobs.send('mill.grind', { n: 3 }, { key: 'one', trx })
    t.same(await statesOf(home), { created: 2 })
  })
  const first = await begun.next()
  t.same(first.data, { n: 3 })
  await jobs.send('mill.grind', { n: 4 }, { key: 'one' })
  await jobs.send('mill.grind', { n: 5 }, { key: 'one' })
  t.same(await statesOf(home), { active: 1, created: 2 }, 'beside one that runs there may be another')
  first.done()
  const second = await begun.next()
  t.same(second.data, { n: 5 })
  second.done()
})

t.test('a waiting job that is sent again is not taken before that is committed', async (t) => {
  const { home, begun, jobs, transaction } = await millTown(t)
  const soon = new Date(Date.now() + 3_000)
  await jobs.send('mill.grind', { n: 1 }, { key: 'one', at: soon })
  await transaction(async (trx) => {
    await jobs.send('mill.grind', { n: 2 }, { key: 'one', trx })
    await jobs.send('mill.grind', { n: 3 }, { at: soon })
    const other = await begun.next()
    t.equal(other.data.n, 3, 'when it was due')
    other.done()
    await idleOf(home)
  })
  const { data, done } = await begun.next()
  t.equal(data.n, 2, 'or its worker would not see what it is about')
  done()
})

t.test('a failed job is tried again, and told of once when it is given up', async (t) => {
  const lines: Record<string, unknown>[] = []
  const log = (line: Record<string, unknown>) => void (line.queue && lines.push(line))
  const { home, begun, jobs } = await millTown(t, mill('first', 'retries: 1,'), {}, { log })
  await jobs.send('mill.grind', { secret: 'hush' })
  for (const attempt of [1, 2])
    (await begun.next()).fail(Object.assign(new Error(`no. ${attempt}`), { config: { token: 'hush' } }))
  const failed = await until(
    async () => lines.filter(({ msg }) => msg === 'a job failed for good'),
    ({ length }) => length > 0
  )
  t.match(failed, [{ pack: 'jobs', queue: 'mill.grind', attempts: 2, reason: 'no. 2' }])
  t.same(await statesOf(home), { failed: 1 })
  t.match(
    lines.filter(({ level }) => level === 40),
    [{ queue: 'mill.grind', attempt: 1, reason: 'no. 1', msg: 'a job failed and is tried again' }]
  )
  t.notMatch(JSON.stringify(lines), /hush/)
  const outputs = await home.platform.knex('pgboss.job').where({ name: 'mill.grind' }).pluck('output')
  t.notMatch(JSON.stringify(outputs), /hush/)
})

t.test('a job that takes too long is told, and tried again', async (t) => {
  const { begun, jobs } = await millTown(t, mill('first', 'timeoutSeconds: 3,'))
  await jobs.send('mill.grind', { n: 1 })
  const { signal, done: late } = await begun.next()
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
  const again = await begun.next()
  t.same(again.data, { n: 1 })
  late()
  t.notOk(again.signal.aborted, 'what the first try still does is nothing to the second one')
  again.done()
})

t.test('as many jobs run at a time as the worker wants', async (t) => {
  const { home, begun, jobs } = await millTown(t, mill('first', 'concurrency: 3,'))
  for (const n of [1, 2, 3, 4]) await jobs.send('mill.grind', { n })
  const three = [await begun.next(), await begun.next(), await begun.next()]
  t.same(await statesOf(home), { active: 3, created: 1 })
  for (const { done } of three) done()
  ;(await begun.next()).done()
})

t.test('more transactions than connections may be the first to send to a queue', async (t) => {
  const { home, jobs, transaction } = await millTown(t)
  const all = Array.from({ length: 40 }, (_, n) =>
    transaction(async (trx) => {
      await trx.raw('select 1')
      await jobs.send('mill.sieve', { n }, { trx })
    })
  )
  await Promise.all(all)
  t.same(await statesOf(home, 'mill.sieve'), { created: 40 })
})

t.test('a queue has a name of its pack', async (t) => {
  const { jobs } = await millTown(t)
  for (const name of ['grind', "mill.'; drop table", 'Mill.grind', '__pgboss__send-it'])
    await t.rejects(jobs.send(name, {}), { message: /A queue is called <pack>.<queue>/ })
})
