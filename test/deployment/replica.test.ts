// budget: 12 s, because two servers of PostgreSQL start, and one of them again
// tier: whole
import { setTimeout as delay } from 'node:timers/promises'
import knexFactory from 'knex'
import t from 'tap'
import { replicaCheck } from '../../cli/doctor/replica.ts'
import type { Target } from '../../cli/doctor/target.ts'
import { createReplica } from '../../kernel/database/replica.ts'
import { readSettings } from '../../kernel/settings.ts'
import type { Booted } from '../boot.ts'
import { boot } from '../boot.ts'
import { databaseUrl } from '../http/process.ts'
import { migrated } from '../migrated.ts'
import { noServer, streaming } from './streaming.ts'

const packs = [
  'access',
  'agents',
  'jobs',
  'metrics',
  'models',
  'observability',
  'outgoing',
  'packs',
  'runs',
  'sessions'
]
const LAG_SECONDS = 4

/** Resolves when it holds. */
async function until(holds: () => boolean | Promise<boolean>) {
  while (!(await holds())) await delay(20)
}

t.test('a streaming replica', { skip: noServer }, async (t) => {
  const { primary, replica } = await streaming(t)
  const knex = knexFactory({ client: 'pg', connection: primary.connection, pool: { min: 0, max: 2 } })
  t.teardown(() => knex.destroy())
  await migrated(packs).fill(knex)
  const url = databaseUrl(replica.connection).replace('@', ':unspoken@')
  const lines: Record<string, unknown>[] = []
  const home = await boot(t, {
    packs,
    env: { DATABASE_REPLICA_URL: url, DATABASE_REPLICA_LAG_SECONDS: String(LAG_SECONDS) },
    beside: { connection: primary.connection } as Booted,
    log: (line) => lines.push(line)
  })
  const client = home.as('ada')
  const isUsed = async () => (await client.get('/health/ready')).body.data.replica
  /** What the server of that name was asked for reports and lists. */
  const scans = async (of: typeof primary, table: string) => {
    const [row] = await of.query(
      `select coalesce(seq_scan + idx_scan, 0)::int as scans from pg_stat_user_tables
       where schemaname = 'observability' and relname = '${table}'`
    )
    return Number(row?.scans ?? 0)
  }
  const agent = await client.agent({ modelProvider: 'local' })
  const say = (word: string) =>
    client.post('/v1/agents/run', {
      agentId: agent.id,
      messages: [{ role: 'user', content: `/say ${word}` }]
    })
  const calls = async () => {
    const { status, body } = await client.get(`/v1/usage/agents/${agent.id}?groupBy=agent`)
    t.equal(status, 200, JSON.stringify(body))
    return body.data.total.modelCalls as number
  }
  const events = async () => {
    const { status, body } = await client.get('/v1/activity/events?type=runs.completed&limit=50')
    t.equal(status, 200, JSON.stringify(body))
    return body.data.length as number
  }

  const metric = async (name: string) => {
    const { text } = await home.admin.get('/metrics')
    return new RegExp(`^agent_platform_database_replica_${name} (.+)$`, 'm').exec(text)?.[1]
  }

  await until(isUsed)
  t.match((await client.get('/health/ready')).body.data, { ready: true, replica: true })
  t.equal(await metric('used'), '1')
  t.ok(Number(await metric('lag_seconds')) < LAG_SECONDS)
  await say('one')
  await home.settled()
  await until(async () => (await calls()) === 1 && (await events()) === 1)
  t.same([await calls(), await events()], [1, 1], 'what was done is soon there')

  await t.test('reads go there', async (t) => {
    const scanned = async () => [await scans(replica, 'day'), await scans(replica, 'event')]
    const before = await scanned()
    let after = before
    await until(async () => {
      await calls()
      await events()
      after = await scanned()
      return after.every((count, index) => count > (before[index] ?? 0))
    })
    t.ok(
      after.every((count, index) => count > (before[index] ?? 0)),
      `its tables were read: ${before} to ${after}`
    )
    const open = await replica.query(
      `select current_setting('default_transaction_read_only') as own, count(*)::int as open from pg_stat_activity
       where application_name = 'agent-platform work'`
    )
    t.match(open, [{ own: 'off' }])
    t.ok(Number(open[0]?.open) > 0, 'by the platform')
  })

  await t.test('what is read there may be behind, but not by more than is allowed', async (t) => {
    await replica.query('select pg_wal_replay_pause()')
    await until(async () => {
      const [row] = await replica.query('select pg_get_wal_replay_pause_state() as state')
      return row?.state === 'paused'
    })
    await say('two')
    await home.settled()
    t.equal(await calls(), 1, 'the replica has not got it yet')
    t.match(
      (await client.get(`/v1/agents/${agent.id}`)).status,
      200,
      'what was just written is read of the primary'
    )
    await until(async () => !(await isUsed()))
    t.equal(await calls(), 2, 'and then the primary is asked')
    t.equal(await events(), 2)
    t.match((await client.get('/health/ready')).body.data, { ready: true, replica: false })
    t.equal(await metric('used'), '0')
    t.ok(Number(await metric('lag_seconds')) >= LAG_SECONDS)
    // It is noted at the next look, which is to come before it is used again.
    await until(() => lines.some(({ msg }) => msg === 'The replica of the database is not used'))
    await replica.query('select pg_wal_replay_resume()')
    await until(isUsed)
    t.equal(await calls(), 2, 'it has caught up')
  })

  await t.test('a primary on which nothing happens leaves it in use', async (t) => {
    const until = performance.now() + (LAG_SECONDS + 1) * 1_000
    while (performance.now() < until) {
      t.ok(await isUsed())
      await delay(200)
    }
  })

  await t.test('what it does not have yet is asked of the primary', async (t) => {
    const on = { url, primary: knex, mostSeconds: 60, log: { info() {}, warn() {} } }
    const own = createReplica(on)
    t.teardown(own.close)
    await until(() => own.state().used)
    t.match((await own.read((on) => on.raw('select pg_is_in_recovery() as there'))).rows, [{ there: true }])
    await replica.query('select pg_wal_replay_pause()')
    await knex.raw('create table made_by_a_migration as select 7 as number')
    t.match(await own.read((on) => on('made_by_a_migration')), [{ number: 7 }])
    await replica.query('select pg_wal_replay_resume()')
    await t.rejects(
      own.read((on) => on('no_such_table')),
      { code: '42P01' }
    )
    // A read that would write is refused there, and is the primary's to do.
    await t.resolves(own.read((on) => on('made_by_a_migration').insert({ number: 8 })))
  })

  await t.test('killed while it is asked, nobody notices', async (t) => {
    await until(isUsed)
    let isOver = false
    let asked = 0
    const asking = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        if ((await calls()) !== 2) t.fail('a wrong sum')
        asked++
      }
    })
    await until(() => asked > 20)
    await replica.kill()
    const since = asked
    await until(() => asked > since + 20)
    isOver = true
    await Promise.all(asking)
    t.equal(await isUsed(), false)
    t.match((await client.get('/health/ready')).body.data, { ready: true, replica: false })
    await replica.start()
    await until(isUsed)
    t.match((await client.get('/health/ready')).body.data, { ready: true, replica: true }, 'it is used again')
    t.equal(await calls(), 2)
  })

  await t.test('an address that is of no replica is not used', async (t) => {
    const settings = (to: string) => readSettings({ DATABASE_REPLICA_URL: to }).settings
    const look = (to: string) =>
      replicaCheck({ settings: settings(to), database: { knex } } as unknown as Target).look()
    t.match(await look(url), { status: 'ok', found: /behind$/ })
    t.match(await look(databaseUrl(primary.connection)), { status: 'problem', found: /a server of its own/ })
    await knex.raw('create database other')
    const other = databaseUrl({ ...replica.connection, database: 'other' })
    await until(async () => /another database/.test((await look(other)).found))
    await replica.kill()
    t.match(await look(url), { status: 'warning', advice: /DATABASE_REPLICA_URL/ })
    t.notMatch(JSON.stringify(await look(url)), /unspoken/)
    const wrong = createReplica({
      ...{ url: databaseUrl(primary.connection), primary: knex, mostSeconds: 1 },
      log: { info() {}, warn: (...given: unknown[]) => lines.push({ given }) }
    })
    t.teardown(wrong.close)
    t.match((await wrong.read((on) => on.raw('select pg_is_in_recovery() as there'))).rows, [
      { there: false }
    ])
    t.equal(wrong.state().used, false)
  })
  const said = lines.map(({ msg }) => msg)
  t.ok(said.includes('The replica of the database is used'))
  t.notMatch(JSON.stringify(lines), /unspoken/)
})
