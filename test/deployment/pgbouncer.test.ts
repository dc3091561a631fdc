// budget: 10 s, because two platforms share a pooler, and runs go through both
// tier: whole
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import type { Booted } from '../boot.ts'
import { boot } from '../boot.ts'
import type { Connection } from '../database.ts'
import { database } from '../database.ts'
import { migrated } from '../migrated.ts'

const program = '/usr/sbin/pgbouncer'
const skip =
  (!existsSync(program) && `${program} is not installed`) ||
  (process.getuid?.() !== 0 && 'pgbouncer is started as another user, by root')
const NOBODY = 65_534
/** Connections of the server that all instances share for all but the hot path. */
const SHARED = 3
/** Of each instance, by itself: four of the hot path, and its presence. */
const OWN = 5
const RUNS = 40

/** PgBouncer before that database, by transaction, as a child of this process. */
async function pooler(t: Parameters<typeof database>[0], to: Connection): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'pooler-'))
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  const { host, user, password, database: name } = to
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
${name} = host=${host} port=${to.port} user=${user} ${password ? `password=${password}` : ''}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${SHARED}
max_client_conn = 200
`
  )
  chownSync(folder, NOBODY, NOBODY)
  chownSync(file, NOBODY, NOBODY)
  const child = spawn(program, ['-q', file], { uid: NOBODY, gid: NOBODY, stdio: 'inherit' })
  const exited = once(child, 'exit')
  t.teardown(async () => {
    child.kill('SIGKILL')
    await exited
    rmSync(folder, { recursive: true, force: true })
  })
  return `postgres://${user}@127.0.0.1:${port}/${name}`
}

t.test('PgBouncer by transaction, before two instances', { skip }, async (t) => {
  const packs = ['access', 'agents', 'goals', 'jobs', 'models', 'outgoing', 'packs', 'runs', 'sessions']
  const { connection, knex } = await database(t, migrated(packs))
  const env = { DATABASE_POOL_URL: await pooler(t, connection) }
  const home = await boot(t, 'runs', { packs, env, beside: { connection } as Booted })
  const beside = await boot(t, 'runs', { packs, env, beside: home })
  const ada = home.as('ada')
  const there = beside.as('ada')
  const agent = await ada.agent({ modelProvider: 'local' })

  let most = 0
  let isOver = false
  t.teardown(() => {
    isOver = true
  })
  const counting = (async () => {
    while (!isOver) {
      const { rows } = await knex.raw(
        `select count(*)::int as open from pg_stat_activity
         where datname = current_database() and application_name like 'agent-platform%'`
      )
      most = Math.max(most, rows[0].open)
    }
  })()
  const runs = await Promise.all(
    Array.from({ length: RUNS }, async (_, n) => {
      const client = n % 2 ? ada : there
      const messages = [{ role: 'user', content: `/say answer ${n}` }]
      const { status, body } = await client.post('/v1/agents/run', { agentId: agent.id, messages })
      t.equal(status, 200, JSON.stringify(body))
      const other = n % 2 ? there : ada
      t.match((await other.get(`/v1/agents/runs/${body.data.id}`)).body.data, {
        status: 'completed',
        content: `answer ${n}`
      })
      return body.data.id
    })
  )
  t.equal(new Set(runs).size, RUNS)
  // What is committed or rolled back as a whole, also where a connection is another one each time.
  const goals = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      (n % 2 ? ada : there).post('/v1/goals', { agentId: agent.id, title: `Goal ${n}` })
    )
  )
  t.same(new Set(goals.map(({ status }) => status)), new Set([201]))
  const open = async () => (await ada.get(`/v1/goals?agentId=${agent.id}&limit=50`)).body.data.length
  t.equal(await open(), 20)

  // Facts and notifications go on between the instances.
  await there.delete(`/v1/agents/${agent.id}`)
  await home.settled()
  t.equal((await ada.get(`/v1/agents/runs/${runs[0]}`)).status, 404, 'a cascade by facts')
  t.same(await knex('goals.goal').where({ agentId: agent.id }), [])
  isOver = true
  await counting
  t.ok(most <= SHARED + 2 * OWN, `${most} connections of the server for two instances`)
  t.match((await ada.get('/health/ready')).status, 200)
})
