import pg from 'pg'
import t from 'tap'
import { by, listener, oneByOne, prepare, record, until } from '../../test/facts.ts'
import { proxyOf } from '../../test/proxy.ts'
import { createDelivery } from './facts-delivery.ts'

const numbers = (rows: { n: number }[]) => rows.map(({ n }) => n)
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

t.test('a listening pack gets the whole fact, in the transaction that moves its cursor', async (t) => {
  const { instance } = await prepare(t)
  const got: unknown[] = []
  const packs = new Map([
    [
      'usage',
      oneByOne(['shop.sold'], async (fact) => {
        got.push(fact)
      })
    ]
  ])
  const { facts, knex } = instance(packs)
  await facts.enlist(packs.keys())
  await facts.start()
  await knex.transaction(async (trx) => {
    await facts.record(trx, 'shop.sold', by, {
      subject: 'order_1',
      owner: 'user_2',
      data: { n: 1.5, text: 'ü' },
      usage: [{ meter: 'orders', quantity: '1' }]
    })
    await facts.record(trx, 'shop.opened', by, { subject: 'shop_1', owner: 'user_2', data: null })
  })
  await facts.settled()
  t.match(got, [
    {
      id: /^fact_/,
      name: 'shop.sold',
      project: 'default',
      owner: 'user_2',
      actor: 'user_1',
      subject: 'order_1',
      data: { n: 1.5, text: 'ü' },
      usage: [{ meter: 'orders', quantity: '1' }],
      at: /^\d{4}-\d\d-\d\dT.*Z$/
    }
  ])
  t.equal(got.length, 1)
})

t.test('a rollback records nothing, and data without a JSON form is refused', async (t) => {
  const { instance, effects, knex: admin } = await prepare(t)
  const packs = new Map([['usage', listener('usage')]])
  const { facts, knex } = instance(packs)
  await facts.enlist(packs.keys())
  await facts.start()
  await t.rejects(
    knex.transaction(async (trx) => {
      await facts.record(trx, 'shop.sold', by, { subject: 'a', owner: 'o', data: { n: 1 } })
      throw new Error('no')
    })
  )
  for (const data of [undefined, () => 1]) {
    await t.rejects(
      knex.transaction((trx) => facts.record(trx, 'shop.sold', by, { subject: 'a', owner: 'o', data })),
      TypeError
    )
    t.throws(() => facts.rows([{ name: 'shop.sold', by, subject: 'a', owner: 'o', data }]), TypeError)
  }
  await facts.settled()
  t.same(await effects(), [])
  t.same(await admin.withSchema('kernel').from('fact'), [])
})

t.test('rows take part in a larger statement, on condition of another part of it', async (t) => {
  const { instance, effects } = await prepare(t)
  const packs = new Map([['usage', listener('usage')]])
  const { facts, knex } = instance(packs, { pollMs: 60_000 })
  await facts.enlist(packs.keys())
  await facts.start()
  const sold = (subject: string, n: number) => ({ name: 'shop.sold', by, subject, owner: 'o', data: { n } })
  const { text, values } = facts.rows([sold('a', 7), sold('b', 8)], 'given')
  const client = await knex.client.acquireConnection()
  try {
    await client.query(
      `with given as (select 'a' as id), fact as (${text} returning id) select id from fact`,
      values
    )
  } finally {
    await knex.client.releaseConnection(client)
  }
  facts.recorded([{ name: 'shop.sold' }])
  t.match(await until(async () => (await effects()).length > 0 && effects()), [{ n: 7 }])
  t.throws(() => facts.rows([], 'given; drop'), TypeError)
})

t.test('two deliverers at once handle each fact once and in order', async (t) => {
  const { instance, effects } = await prepare(t)
  const packs = new Map(['a', 'b', 'c'].map((pack) => [pack, listener(pack)]))
  const [one, two] = [instance(packs, { batch: 7, gapMs: 1 }), instance(packs, { batch: 7, gapMs: 1 })]
  await one.facts.enlist(packs.keys())
  await one.facts.start()
  await two.facts.start()
  for (let n = 0; n < 200; n += 10) {
    await Promise.all(
      range(n, n + 10).map((i) => {
        const { facts, knex } = i % 2 ? one : two
        two.facts.recorded([{ name: 'shop.sold' }])
        return record(knex, facts, `s${i % 3}`, i)
      })
    )
  }
  await one.facts.settled()
  for (const pack of packs.keys()) {
    const rows = await effects(pack)
    t.same(
      numbers(rows).sort((x, y) => x - y),
      range(0, 200),
      'none lost, none twice'
    )
    for (const subject of ['s0', 's1', 's2']) {
      const tens = numbers(rows.filter((row) => row.subject === subject)).map((n) => Math.floor(n / 10))
      t.same(
        tens,
        [...tens].sort((x, y) => x - y),
        'what was recorded later came later'
      )
    }
  }
})

t.test('what was looked at before another delivery moves no cursor back', async (t) => {
  const { instance, effects } = await prepare(t)
  const packs = new Map([['usage', listener('usage')]])
  const { facts, knex } = instance(packs)
  await facts.enlist(packs.keys())
  const log = { warn: () => undefined }
  const { deliver } = createDelivery({ knex, log, listeners: () => packs })
  const horizon = async () =>
    (await knex.raw('select pg_snapshot_xmax(pg_current_snapshot()) as horizon')).rows[0].horizon as string
  await record(knex, facts, 'a', 1)
  const older = await horizon()
  await record(knex, facts, 'a', 2)
  const newer = await horizon()
  for (const at of [newer, older, newer]) t.equal(await deliver('usage', at), true)
  t.same(numbers(await effects()), [1, 2])
})

t.test('a transaction that commits late is not skipped', async (t) => {
  const { instance, effects } = await prepare(t)
  const packs = new Map([['usage', listener('usage')]])
  const { facts, knex, looks } = instance(packs)
  await facts.enlist(packs.keys())
  await facts.start()
  const late = await knex.transaction()
  await facts.record(late, 'shop.sold', by, { subject: 'late', owner: 'o', data: { n: 1 } })
  await record(knex, facts, 'early', 2)
  await record(knex, facts, 'early', 3)
  const before = looks()
  const settled = facts.settled()
  await until(async () => looks() > before + 3)
  t.same(await effects(), [], 'what was recorded after an open transaction waits for it')
  await late.commit()
  await settled
  await facts.settled()
  t.same(numbers(await effects()), [1, 2, 3])
})

t.test('an open transaction of another database holds back nothing for long', async (t) => {
  const { instance, effects } = await prepare(t)
  const other = await prepare(t)
  const packs = new Map([['usage', listener('usage')]])
  const { facts, knex } = instance(packs)
  await facts.enlist(packs.keys())
  await facts.start()
  const open = await other.knex.transaction()
  await open.raw('select pg_current_xact_id()')
  await record(knex, facts, 'a', 1)
  await facts.settled()
  t.same(numbers(await effects()), [1])
  await open.rollback()
})

t.test('nor does one that only reads, or of another application: what else writes is told', async (t) => {
  const { instance, effects, connection } = await prepare(t)
  const packs = new Map([['usage', listener('usage')]])
  const told: { pid?: number; application?: string }[] = []
  const log = { warn: (about: object) => told.push(about) }
  const { facts, knex } = instance(packs, { stuckMs: 100, log })
  await facts.enlist(packs.keys())
  await facts.start()
  const session = async (name: string) => {
    const client = new pg.Client({ ...connection, application_name: name })
    await client.connect()
    t.teardown(() => client.end())
    await client.query('begin')
    return client
  }
  const reads = await session('')
  await reads.query('select count(*) from kernel.fact')
  const dumps = await session('pg_dump')
  await dumps.query('set transaction isolation level repeatable read, read only')
  await dumps.query('select * from kernel.fact')
  const writes = await session('psql')
  await writes.query('create table kept (n int)')
  await record(knex, facts, 'a', 1)
  await facts.settled()
  t.same(numbers(await effects()), [1])
  for (const [index, application] of ['agent-platform', ''].entries()) {
    const n = index + 2
    const holds = await session(application)
    const { rows } = await holds.query('select pg_backend_pid() as pid from kernel.fact limit 1 for update')
    await record(knex, facts, 'a', n)
    const found = await until(async () => told.find(({ pid }) => pid === rows[0].pid))
    t.match(found, { transaction: String, application, user: String, seconds: Number })
    t.equal((await effects()).length, n - 1, 'it waits')
    await holds.query('rollback')
    await facts.settled()
  }
  t.same(numbers(await effects()), [1, 2, 3])
  t.same(
    told.filter(({ application }) => application === 'psql' || application === 'pg_dump'),
    []
  )
})

t.test(
  'facts are delivered while an instance that has begun to deliver them stands still; each counts once',
  async (t) => {
    const { instance, effects, connection } = await prepare(t)
    const { way, connection: behind } = await proxyOf(t, connection)
    const [reached, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const stops = () => {
      reached.resolve()
      return mayGoOn.promise
    }
    const frozen = instance(new Map([['usage', listener('usage', stops)]]), { way: behind, idleMs: 400 })
    await frozen.facts.enlist(['usage'])
    await frozen.facts.start()
    const other = instance(new Map([['usage', listener('usage')]]))
    for (const n of range(1, 5)) await record(other.knex, other.facts, 'a', n)
    frozen.facts.look()
    await reached.promise
    way.hang()
    await other.facts.start()
    await other.facts.settled()
    t.same(numbers(await effects()), range(1, 5), 'the other one has handled them')
    way.mend()
    mayGoOn.resolve()
    await record(other.knex, other.facts, 'a', 5)
    await frozen.facts.settled()
    t.same(numbers(await effects()), range(1, 6), 'and the first one handles none of them again')
  }
)

t.test('a first-time listener starts at now, exactly', async (t) => {
  const { instance, effects } = await prepare(t)
  const packs = new Map([['old', listener('old')]])
  const { facts, knex } = instance(packs)
  await facts.enlist(packs.keys())
  await facts.start()
  const open = await knex.transaction()
  await facts.record(open, 'shop.sold', by, { subject: 'a', owner: 'o', data: { n: 1 } })
  await record(knex, facts, 'a', 2)
  packs.set('new', listener('new'))
  await facts.enlist(packs.keys())
  await record(knex, facts, 'a', 3)
  await open.commit()
  await facts.settled()
  t.same(numbers(await effects('old')), [1, 2, 3])
  t.same(numbers(await effects('new')), [1, 3], 'the second had been recorded before')
})

t.test('a pack that was off catches up, and forget lets it begin anew', async (t) => {
  const { instance, effects } = await prepare(t)
  const packs = new Map([['usage', listener('usage')]])
  const { facts, knex } = instance(packs, { batch: 3 })
  await facts.enlist(packs.keys())
  await facts.start()
  await record(knex, facts, 'a', 1)
  await facts.settled()
  packs.clear()
  for (const n of range(2, 12)) await record(knex, facts, 'a', n)
  await facts.settled()
  t.same(numbers(await effects()), [1])
  packs.set('usage', listener('usage'))
  await facts.settled()
  t.same(numbers(await effects()), range(1, 12))

  packs.clear()
  await facts.forget('usage')
  await record(knex, facts, 'a', 12)
  packs.set('usage', listener('usage'))
  await facts.enlist(packs.keys())
  await record(knex, facts, 'a', 13)
  await facts.settled()
  t.same(numbers(await effects()), [...range(1, 12), 13])
})

t.test('an instance that only records wakes the others by a signal', async (t) => {
  const { instance, effects } = await prepare(t)
  const packs = new Map([['usage', listener('usage')]])
  const listeners = new Set<(data: unknown) => void>()
  const nothing = { [Symbol.dispose]: () => undefined }
  const signals = {
    send: () => {
      for (const hear of listeners) hear(undefined)
    },
    on: (_: string, hear: (data: unknown) => void) => {
      listeners.add(hear)
      return nothing
    },
    onChange: () => nothing
  }
  const here = instance(packs, { signals, pollMs: 60_000 })
  const there = instance(packs, { signals, pollMs: 60_000 })
  await here.facts.enlist(packs.keys())
  await there.facts.start()
  await record(here.knex, here.facts, 'a', 1)
  await until(async () => (await effects()).length > 0)
  await record(here.knex, here.facts, 'a', 2)
  await until(async () => (await effects()).length > 1)
  t.same(numbers(await effects()), [1, 2])
})

t.test('a fact that a handler records is delivered too', async (t) => {
  const { instance, effects } = await prepare(t)
  const packs = new Map([['second', listener('second', undefined, ['shop.counted'])]])
  const { facts, knex } = instance(packs, { pollMs: 60_000 })
  packs.set(
    'first',
    oneByOne(['shop.sold'], (fact, trx) => facts.record(trx, 'shop.counted', by, fact))
  )
  await facts.enlist(packs.keys())
  await facts.start()
  await record(knex, facts, 'a', 5)
  t.match(await until(async () => (await effects()).length > 0 && effects()), [{ pack: 'second', n: 5 }])
})

t.test('connections that are killed while delivering neither lose nor double', async (t) => {
  const { instance, effects, knex: admin } = await prepare(t)
  let kills = 0
  const kill = async (trx: { raw(sql: string): PromiseLike<{ rows: { pid: number }[] }> }) => {
    const { rows } = await trx.raw('select pg_backend_pid() as pid')
    await admin.raw('select pg_terminate_backend(?)', [rows[0]?.pid as number])
  }
  const packs = new Map([
    [
      'usage',
      oneByOne(['shop.sold'], async (fact, trx) => {
        const { n } = fact.data as { n: number }
        await trx('effect').insert({ pack: 'usage', fact: fact.id, subject: 's', n })
        if (n % 10 === 5 && kills < 6) {
          kills++
          await kill(trx)
        }
      })
    ]
  ])
  const { facts, knex } = instance(packs, { batch: 20 })
  await facts.enlist(packs.keys())
  await knex.transaction(async (trx) => {
    for (const n of range(0, 60))
      await facts.record(trx, 'shop.sold', by, { subject: `${n}`, owner: 'o', data: { n } })
  })
  await facts.start()
  await facts.settled()
  t.equal(kills, 6)
  t.same(numbers(await effects()), range(0, 60))
  const { rows } = await admin.raw('select count(*)::int from kernel.fact_held')
  t.equal(rows[0].count, 0, 'the database was to blame, not the facts')
})

t.test("cursors move past facts that are nobody's business", async (t) => {
  const { instance, effects, knex: admin } = await prepare(t)
  const packs = new Map([['usage', listener('usage')]])
  const { facts, knex } = instance(packs, { pollMs: 50 })
  await facts.enlist(packs.keys())
  await facts.start()
  for (const n of range(0, 5)) await record(knex, facts, 'a', n, 'shop.opened')
  await until(async () => {
    const { rows } = await admin.raw(
      'select from kernel.fact_cursor where transaction > (select max(transaction) from kernel.fact)'
    )
    return rows.length === 1
  })
  await record(knex, facts, 'a', 5)
  await facts.settled()
  t.same(numbers(await effects()), [5])
})

t.test('old facts go when every cursor passed them and nobody holds them', async (t) => {
  const { instance, knex: admin } = await prepare(t)
  const packs = new Map([
    [
      'usage',
      listener('usage', ({ data }) => {
        if (data.n === 3) throw new Error('no')
      })
    ]
  ])
  const { facts, knex } = instance(packs, { attempts: 1 })
  await facts.enlist(packs.keys())
  for (const n of range(0, 6)) await record(knex, facts, 'a', n)
  await admin.raw(`update kernel.fact set at = now() - interval '31 days' where (data->>'n')::int < 5`)
  t.equal(await facts.prune(), 0, 'nobody has read them')
  await facts.start()
  await facts.settled()
  await until(async () => (await facts.prune()) > 0)
  const { rows } = await admin.raw(`select (data->>'n')::int as n from kernel.fact order by 1`)
  t.same(numbers(rows), [3, 5], 'the dead-lettered one and the young one stay')
})

t.test('a database restored into a server with lower transaction ids goes on where it was', async (t) => {
  const { instance, effects, knex: admin } = await prepare(t)
  const packs = new Map([
    [
      'usage',
      listener('usage', ({ data }) => {
        if (data.n === 1 && !mended) throw new Error('not yet')
      })
    ],
    ['off', listener('off')]
  ])
  let mended = false
  const first = instance(packs, { attempts: 1 })
  await first.facts.enlist(packs.keys())
  packs.delete('off')
  await first.facts.start()
  for (const n of range(0, 4)) await record(first.knex, first.facts, 'a', n)
  await first.facts.settled()
  await first.facts.close()
  for (const table of ['fact', 'fact_cursor', 'fact_held'])
    await admin.raw(
      `update kernel.${table} set transaction = (transaction::text::bigint + 1000000000000)::text::xid8`
    )
  await admin.raw(
    `update kernel.fact_cursor set since = '1000000000000:1000000000000:' where pack in ('usage', 'off')`
  )
  packs.set('off', listener('off'))
  const second = instance(packs)
  await second.facts.start()
  await record(second.knex, second.facts, 'a', 4)
  await second.facts.settled()
  t.same(numbers(await effects('usage')), [0, 2, 3, 4])
  t.same(numbers(await effects('off')), [0, 1, 2, 3, 4])
  mended = true
  const [held] = await second.facts.deadLettered()
  t.same(await second.facts.replay('usage', held?.fact.id as string), { handled: true })
  t.same(numbers(await effects('usage')), [0, 2, 3, 4, 1])
})
