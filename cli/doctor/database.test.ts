import { randomBytes } from 'node:crypto'
import { mock } from 'node:test'
import t from 'tap'
import { database } from '../../test/database.ts'
import { transactionPooler } from '../../test/pooler.ts'
import { judgeUpkeep } from './server.ts'
import { look, targetOf, targetOn } from './target-fixture.ts'
import { judgeAge, openTransactions } from './transactions.ts'

const names = [
  'database',
  'encoding',
  'connections',
  'rights',
  'clock',
  'autovacuum',
  'notifications',
  'prepared statements',
  'migrations',
  'transaction ids',
  'open transactions',
  'master key',
  'facts'
]

t.test('a database as it should be', async (t) => {
  const target = await targetOn(t)
  // The server of tests does without, as each of its databases lives for seconds.
  const { rows } = await target.knex.raw('show autovacuum')
  const kept = rows[0].autovacuum === 'on'
  for (const name of names) {
    const status = name === 'autovacuum' && !kept ? 'problem' : 'ok'
    t.match(await look(target, name), { status }, name)
  }
  t.equal((await target.knex.raw(`select to_regclass('kernel.migration') as made`)).rows[0].made, null)
})

t.test('one that is still to be made, and one that does not answer', async (t) => {
  const fresh = targetOf(t)
  for (const name of names)
    t.match(await look(fresh, name), { status: 'ok', found: 'made at the first start' }, name)
  const away = targetOf(t, {}, { database: new Error('connect ECONNREFUSED') })
  t.match(await look(away, 'database'), { status: 'problem', found: /ECONNREFUSED/ })
  for (const name of names.slice(1))
    t.match(await look(away, name), { status: 'warning', advice: 'see database' })
})

t.test('another encoding', async (t) => {
  const { knex, connection } = await database(t)
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`
  await knex.raw(
    `create database ${name} encoding 'SQL_ASCII' template template0 lc_collate 'C' lc_ctype 'C'`
  )
  await t.test('is told', async (t) => {
    const target = await targetOn(t, { ...connection, database: name })
    t.match(await look(target, 'encoding'), { status: 'problem', found: /SQL_ASCII/, advice: /UTF8/ })
  })
  await knex.raw(`drop database ${name}`)
})

t.test('too few connections', async (t) => {
  const { knex, connection } = await database(t)
  for (const [limit, status] of [
    [17, 'problem'],
    [18, 'warning'],
    [36, 'ok']
  ] as const) {
    await knex.raw(`alter database ${connection.database} connection limit ${limit}`)
    const target = await targetOn(t, connection)
    t.match(await look(target, 'connections'), { status, found: new RegExp(`room for ${limit} `) })
  }
  const two = [1, 2].map((id) => ({ id })) as never
  t.match(await look({ ...(await targetOn(t, connection)), living: two }, 'connections'), {
    status: 'warning',
    found: /2 instances may take 36/
  })
})

t.test('no right to make schemas', async (t) => {
  const { knex, connection } = await database(t)
  const { rows } = await knex.raw('select rolsuper as almighty from pg_roles where rolname = current_user')
  if (rows[0].almighty) return t.pass('no right to take away', { skip: 'a superuser may do everything' })
  await knex.raw(`revoke create on database ${connection.database} from ${connection.user}`)
  const target = await targetOn(t, connection)
  t.match(await look(target, 'rights'), { status: 'problem', advice: /^grant create on database/ })
  await target.knex.raw((await look(target, 'rights')).advice as string)
  t.match(await look(target, 'rights'), { status: 'ok' }, 'the advice helps')
})

t.test('a server that does not keep its tables', (t) => {
  t.match(judgeUpkeep({ autovacuum: true, counts: true }), { status: 'ok' })
  for (const [upkeep, name] of [
    [{ autovacuum: false, counts: true }, 'autovacuum'],
    [{ autovacuum: true, counts: false }, 'track_counts']
  ] as const)
    t.match(judgeUpkeep(upkeep), { status: 'problem', found: new RegExp(`^${name}`), advice: `${name} = on` })
  t.end()
})

t.test('a clock that is wrong', async (t) => {
  const target = await targetOn(t)
  for (const [ms, status] of [
    [10_000, 'warning'],
    [-10_000, 'warning'],
    [3_600_000, 'problem']
  ] as const) {
    mock.timers.enable({ apis: ['Date'], now: Date.now() + ms })
    t.match(await look(target, 'clock'), { status, advice: /NTP/ })
    mock.timers.reset()
  }
})

t.test('a pooler that gives each transaction another connection', async (t) => {
  const { connection } = await database(t)
  const target = await targetOn(t, await transactionPooler(t, connection))
  t.match(await look(target, 'database'), { status: 'ok' })
  t.match(await look(target, 'notifications'), { status: 'problem', advice: /DATABASE_POOL_URL/ })
  t.match(await look(target, 'prepared statements'), { status: 'problem', found: /does not exist/ })
})

t.test('transactions that hold back facts', async (t) => {
  const { connection, knex } = await database(t)
  const target = await targetOn(t, connection)
  const trx = await knex.transaction()
  await trx.raw('select 1')
  t.match(await openTransactions(target.knex, 0), { status: 'ok' }, 'not those that only read')
  await trx.raw('select pg_current_xact_id()')
  t.match(await openTransactions(target.knex), { status: 'ok' }, 'nor young ones')
  const found = await openTransactions(target.knex, 0)
  t.match(found, { status: 'warning', found: /^1 open for long/, advice: /pg_terminate_backend\(\d+\)/ })
  t.match(await openTransactions(target.knex, 0, 0), { status: 'problem' })
  await trx.raw(`set local application_name to 'psql'`)
  const other = { status: 'warning', found: /psql.*what it locked waits for it$/ }
  t.match(await openTransactions(target.knex, 0), other, 'no facts wait for other applications')
  await trx.rollback()
  t.match(await openTransactions(target.knex, 0), { status: 'ok' })
})

t.test('the age of transaction ids', async (t) => {
  t.match(judgeAge(100_000_000), { status: 'ok' })
  t.match(judgeAge(600_000_000), { status: 'warning' })
  t.match(judgeAge(1_600_000_000), { status: 'problem', advice: /VACUUM/ })
})
