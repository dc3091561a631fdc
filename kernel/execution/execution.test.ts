// budget: 6 s, because it boots further instances and reloads packs
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { startPlatform } from '../../test/packs/processes.ts'
import { press, printShop } from './testbed.ts'

t.test('a step after another, and what ended stays ended', async (t) => {
  const { begun, executions, insert, until, eventsOf } = await printShop(t)
  const id = await insert()
  const over = executions.execute('sheet', id)
  ;(await begun.next()).end('again')
  const second = await begun.next()
  t.match(second, { id, attempt: 1, exhausted: false })
  void executions.execute('sheet', id)
  second.end('completed')
  await over
  await until(id, ({ status }) => status === 'completed')
  await executions.execute('sheet', id)
  t.same(await eventsOf(id), ['queued', 'running', 'printed', 'completed'])
  t.equal(begun.told.length, 2, 'it was executed once')
})

t.test('what is in the record alone is found by the scan', async (t) => {
  const { begun, insert, executions, until } = await printShop(t)
  const id = await insert()
  executions.released('sheet')
  ;(await begun.next()).end('completed')
  t.match(await until(id, ({ endedAt }) => endedAt !== null), { status: 'completed', instance: null })
})

t.test('what waits is nowhere in memory, and goes on when it is woken', async (t) => {
  const { begun, insert, executions, sheets, transaction, until, eventsOf } = await printShop(t)
  const id = await insert()
  const wake = async () => {
    await transaction((trx) => sheets.wake(trx, 'default', [id]))
    executions.wake('sheet', id)
  }
  const over = executions.execute('sheet', id)
  ;(await begun.next()).end('waiting')
  await over
  t.match(await until(id, ({ status }) => status === 'waiting'), { instance: null, wakes: 0 })
  await wake()
  const again = await begun.next()
  t.equal(again.attempt, 1, 'it was not interrupted')
  // What comes while it is executed is not lost.
  await wake()
  again.end('waiting')
  ;(await begun.next()).end('completed')
  await until(id, ({ status }) => status === 'completed')
  t.same(await eventsOf(id), ['queued', 'running', 'running', 'completed'])
})

t.test('it is cancelled in the step that goes on, on another instance, and while it waits', async (t) => {
  const { home, open, begun, opened, insert, executions, sheets, transaction, until } = await printShop(t)
  const cancel = async (id: string, by = executions) => {
    await transaction((trx) => sheets.cancel(trx, 'default', [id], 'cancel'))
    by.cancel('sheet', id, 'cancel')
  }
  const ended = (id: string) => until(id, ({ status }) => status === 'cancelled')
  const other = await open({ beside: home })
  const elsewhere = (await opened.next()).executions

  for (const by of [executions, elsewhere]) {
    const id = await insert()
    void executions.execute('sheet', id)
    const { stop, end } = await begun.next()
    const stopped = once(stop, 'abort')
    await cancel(id, by)
    await stopped
    end('cancelled')
    t.match(await ended(id), { cancelledFor: 'cancel' })
  }

  const id = await insert()
  void executions.execute('sheet', id)
  ;(await begun.next()).end('waiting')
  await until(id, ({ status }) => status === 'waiting')
  await cancel(id)
  ;(await begun.next()).end('cancelled')
  await ended(id)
  await other.close()
})

t.test('kill -9: another instance goes on, and says so in the stream', async (t) => {
  const { home, folder, begun, insert, until, eventsOf } = await printShop(t)
  const { knex } = home.platform
  const doomed = await startPlatform(t, home.connection, [folder], ['press'])
  await doomed.ready
  const [last] = await knex('kernel.instance').max({ instance: 'id' })
  const id = await insert({ status: 'running', ...last })
  await until(id, ({ attempt }) => attempt === 2)
  t.equal(begun.told.length, 0, 'a living instance keeps what it executes')
  while ((await eventsOf(id)).length < 2) await delay(20)
  await doomed.kill()
  const { attempt, instance: here, end } = await begun.next()
  t.equal(here, home.platform.presence.id())
  t.equal(attempt, 3)
  end('completed')
  t.match(await until(id, ({ endedAt }) => endedAt !== null), { attempt: 3, crashes: 1 })
  t.same(await eventsOf(id), ['queued', 'resumed', 'resumed', 'completed'])
})

t.test('what its processes die of is tried alone, later, and is exhausted in the end', async (t) => {
  const { home, begun, insert, executions, until } = await printShop(t)
  const dead = await home.platform
    .knex('kernel.instance')
    .insert({ host: 'gone', pid: 1, version: '0', deadAt: new Date() })
    .returning('id')
  const [suspect, other] = [await insert(), await insert()]
  const orphan = (id: string, crashes: number) =>
    home.platform
      .knex('press.sheet')
      .where({ id })
      .update({ status: 'running', instance: dead[0].id, crashes })
  await orphan(suspect, 2)
  await orphan(other, 2)
  executions.released('sheet')
  const first = await begun.next()
  t.match(first, { exhausted: true, attempt: 2 })
  t.equal(begun.told.length, 1, 'the other one is not tried beside it')
  first.end('completed')
  const second = await begun.next()
  t.same(new Set([first.id, second.id]), new Set([suspect, other]))
  second.end('completed')
  for (const id of [suspect, other])
    t.match(await until(id, ({ endedAt }) => endedAt !== null), { crashes: 3 })
})

t.test('a new version of the pack goes on with the next step', async (t) => {
  const { home, write, begun, insert, executions, until, eventsOf } = await printShop(t)
  const id = await insert()
  void executions.execute('sheet', id)
  const first = await begun.next()
  await write('press', press('second'))
  t.match(await home.admin.post('/v1/packs/press/reload'), { status: 200 })
  first.end('again')
  const second = await begun.next()
  t.match(second, { version: 'second', attempt: 1 })
  second.end('completed')
  await until(id, ({ status }) => status === 'completed')
  t.same(await eventsOf(id), ['queued', 'running', 'printed', 'completed'])
})

t.test('an instance that closes leaves what it executes to another one', async (t) => {
  const { home, open, begun, opened, insert, until, eventsOf } = await printShop(t)
  const other = await open({ beside: home })
  const { executions } = await opened.next()
  const id = await insert()
  void executions.execute('sheet', id)
  const first = await begun.next()
  t.equal(first.instance, other.platform.presence.id())
  const asked = once(first.handOver, 'abort')
  const closing = other.close()
  await asked
  first.end('again')
  const second = await begun.next()
  t.match(second, { instance: home.platform.presence.id(), id })
  second.end('completed')
  await closing
  await until(id, ({ status }) => status === 'completed')
  t.match(await eventsOf(id), ['queued', 'running', 'printed', /running|resumed/, 'completed'])
})

t.test('an instance executes so many at a time, and the next when there is room', async (t) => {
  const { begun, insert, executions, until } = await printShop(t, press('first', 'concurrency: 2,'))
  const ids = [await insert(), await insert(), await insert()]
  for (const id of ids) void executions.execute('sheet', id)
  const two = [await begun.next(), await begun.next()]
  executions.released('sheet')
  await until(ids[2] as string, ({ status }) => status === 'queued')
  t.equal(begun.told.length, 2)
  two[0]?.end('completed')
  const third = await begun.next()
  t.equal(third.id, ids[2])
  for (const { end } of [two[1] as typeof third, third]) end('completed')
  for (const id of ids) await until(id, ({ status }) => status === 'completed')
})

t.test('owners take turns, however much one of them has to be executed', async (t) => {
  const { begun, insert, executions, until } = await printShop(t, press('first', 'concurrency: 4,'))
  const flood: string[] = []
  for (let n = 0; n < 8; n++) flood.push(await insert({ owner: 'flood' }))
  executions.released('sheet')
  const going = [await begun.next(), await begun.next(), await begun.next()]
  t.equal(begun.told.length, 3, 'of four slots one is left for others')
  const quiet: string[] = []
  for (let n = 0; n < 4; n++) quiet.push(await insert({ owner: 'quiet' }))
  executions.released('sheet')
  const order = [await begun.next()]
  t.equal(begun.told.length, 4)
  // Of those that end one after another, the next is of the owner of whom less is executed.
  for (const ended of going) {
    ended.end('completed')
    await until(ended.id, ({ status }) => status === 'completed')
    order.push(await begun.next())
  }
  t.same(
    order.map(({ id }) => (quiet.includes(id) ? 'quiet' : 'flood')),
    ['quiet', 'quiet', 'flood', 'flood']
  )
  for (const { end } of order) end('completed')
  for (let n = 0; n < 5; n++) (await begun.next()).end('completed')
  for (const id of [...flood, ...quiet]) await until(id, ({ status }) => status === 'completed')
})
