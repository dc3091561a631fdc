import t from 'tap'
import { database } from '../../test/database.ts'
import { isDatabaseAway, openDatabase } from './connect.ts'

/** A database with a table of one row, and another instance's migration of it. */
async function shelf(t: Parameters<typeof database>[0]) {
  const { connection, knex: elsewhere } = await database(t)
  await elsewhere.raw('create table shelf (id int primary key); insert into shelf values (1)')
  const { knex, hot, close } = openDatabase(connection)
  t.teardown(close)
  return {
    knex,
    hot,
    addColumn: (name: string) => elsewhere.raw(`alter table shelf add column ${name} text`)
  }
}

t.test('prepares a statement again after a migration has added a column to its table', async (t) => {
  const { hot, addColumn } = await shelf(t)
  const all = () => hot.query('shelf.all', 'select * from shelf', [])
  const update = () =>
    hot.together(
      'shelf.update',
      { row: { text: 'update shelf set id = id + $1 returning *', values: [1] } },
      'select * from row'
    )
  t.same(
    await Promise.all(Array.from({ length: 8 }, all)),
    Array(8).fill([{ id: 1 }]),
    'on several connections'
  )
  t.same(await update(), [{ id: 2 }])
  await addColumn('one')
  t.same(await Promise.all(Array.from({ length: 8 }, all)), Array(8).fill([{ id: 2, one: null }]))
  t.same(await update(), [{ id: 3, one: null }], 'and what it does happens once')
  await addColumn('two')
  t.same(await update(), [{ id: 4, one: null, two: null }])
  t.same(await all(), [{ id: 4, one: null, two: null }], 'after a second migration too')
  const texts = await hot.query<{ statement: string }>(
    'shelf.texts',
    `select statement from pg_prepared_statements where name like 'shelf.all%'`,
    []
  )
  t.equal(new Set(texts.map(({ statement }) => statement)).size, texts.length, 'each time with another text')
})

t.test('fails once with a retriable error inside a transaction', async (t) => {
  const { knex, hot, addColumn } = await shelf(t)
  const all = () =>
    knex.transaction((trx) =>
      hot.together(
        'shelf.all',
        { row: { text: 'select * from shelf', values: [] } },
        'select * from row',
        trx
      )
    )
  const named = () =>
    knex.transaction((trx) =>
      hot.together(
        'shelf.named',
        { row: { text: 'select id from shelf', values: [] } },
        'select * from row',
        trx
      )
    )
  t.same(await all(), [{ id: 1 }])
  t.same(await named(), [{ id: 1 }])
  await addColumn('one')
  t.same(await named(), [{ id: 1 }], 'one that names its columns does not fail')
  const failure = await all().catch((error: unknown) => error)
  t.match(failure, { kind: 'unavailable', code: 'busy', cause: { code: '0A000' } })
  t.ok(isDatabaseAway(failure), 'work in the background tries it again')
  t.same(await all(), [{ id: 1, one: null }])
})

t.test('passes other database errors on unchanged', async (t) => {
  const { hot } = await shelf(t)
  await t.rejects(hot.query('shelf.none', 'select none from shelf', []), { code: '42703' })
  await t.rejects(hot.query('shelf.set', `select 1 union select 1 for update`, []), { code: '0A000' })
})
