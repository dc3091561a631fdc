import t from 'tap'
import { database } from '../../test/database.ts'
import { poolBehind } from '../../test/pool-behind.ts'
import { isDatabaseAway } from './connect.ts'

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
