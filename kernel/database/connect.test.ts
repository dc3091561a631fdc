import t from 'tap'
import { database } from '../../test/database.ts'
import { until } from '../../test/packs/stage.ts'
import { poolBehind } from '../../test/pool-behind.ts'
import { transactionPooler } from '../../test/pooler.ts'
import { proxyOf } from '../../test/proxy.ts'
import { isDatabaseAway, openDatabase } from './connect.ts'

t.test('a connection that a busy machine does not open in time is opened once more', async (t) => {
  const { connection } = await database(t)
  let asked = 0
  const { way, knex } = await poolBehind(t, connection, () => {
    // The first try is over. Others may be under way: they are not cut, but end in time as it did.
    if (asked++ === 0) way.open()
    return true
  })
  way.hang()
  const all = await Promise.all(Array.from({ length: 5 }, () => knex.raw('select 1 as one')))
  t.ok(asked > 0, 'the first try failed')
  t.ok(all.every(({ rows }) => rows[0].one === 1))
})

t.test('where the database does not answer at all it is away', async (t) => {
  const { connection } = await database(t)
  const { way, knex } = await poolBehind(t, connection, () => false)
  way.cut()
  const failure = await knex.raw('select 1').catch((error: unknown) => error)
  t.ok(isDatabaseAway(failure))
})

const IDLE_MS = 400

for (const kind of ['directly', 'by a pooler'] as const)
  t.test(`releases the locks of a frozen process after the idle limit, connected ${kind}`, async (t) => {
    const { connection, knex: other } = await database(t)
    await other.raw('create table shelf (id int primary key); insert into shelf values (1)')
    const { way, connection: behind } = await proxyOf(t, connection)
    const pooler = kind === 'by a pooler' ? await transactionPooler(t, behind) : undefined
    const { knex, close } = openDatabase(behind, undefined, pooler, IDLE_MS)
    t.teardown(close)
    const trx = await knex.transaction()
    await trx.raw('update shelf set id = 2')
    way.hang()
    const { rows } = await other.raw('update shelf set id = id + 10 returning id')
    t.same(rows, [{ id: 11 }], 'another one has it, and nothing came of the first')
    way.mend()
    const failure = await trx.raw('update shelf set id = 3').catch((error: unknown) => error)
    t.ok(isDatabaseAway(failure), 'when it goes on, it is told so')
    await trx.rollback().catch(() => undefined)
    t.same((await knex.raw('select id from shelf')).rows, [{ id: 11 }], 'on another connection')
  })

for (const kind of ['directly', 'by a pooler'] as const)
  t.test(
    `keeps a transaction of a running process open beyond the idle limit, connected ${kind}`,
    async (t) => {
      const { connection, knex: other } = await database(t)
      await other.raw('create table shelf (id int primary key); insert into shelf values (1)')
      const pooler = kind === 'by a pooler' ? await transactionPooler(t, connection) : undefined
      const { knex, close } = openDatabase(connection, undefined, pooler, IDLE_MS)
      t.teardown(close)
      await knex.transaction(async (trx) => {
        const { rows } = await trx.raw('update shelf set id = 2 returning pg_backend_pid() as pid')
        await until(
          async () =>
            (
              await other.raw(
                `select from pg_stat_activity where pid = ? and now() - xact_start > ? * interval '1 ms' and state like 'idle in%'`,
                [rows[0].pid, 3 * IDLE_MS]
              )
            ).rowCount,
          (count) => count === 1
        )
        await trx.raw('update shelf set id = 3')
      })
      t.same((await other.raw('select id from shelf')).rows, [{ id: 3 }])
    }
  )
