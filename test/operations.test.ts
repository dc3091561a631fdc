// tier: whole
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { addressOf } from '../kernel/database/embedded/postmaster.ts'
import type { Embedded } from '../kernel/database/embedded/server.ts'
import { commands } from './cli/command.ts'
import { createClient } from './client.ts'
import { preparedDataDir } from './data-dir.ts'
import type { Connection } from './database.ts'
import { database } from './database.ts'
import { folderFor, query, start } from './embedded.ts'
import { databaseUrl, serve } from './http/process.ts'
import { migrated } from './migrated.ts'
import { startModelServer } from './model-server.ts'
import { childEnvironment } from './shared-folder.ts'

type Test = Parameters<typeof serve>[0] & Pick<typeof t, 'equal' | 'match' | 'teardown'>

const secret = 'sk-that-only-the-model-may-see'

/** A program to its end; throws what it says when it fails. */
function run(
  program: string,
  args: readonly string[],
  options: { input?: Buffer; env?: object } = {}
): Buffer {
  const env = { ...childEnvironment(), ...options.env }
  const { status, stdout, stderr, error } = spawnSync(program, args, { ...options, env, maxBuffer: 2 ** 30 })
  if (status !== 0) throw new Error(`${program}: ${stderr || error}`)
  return stdout
}

const majorOf = (program: string): number =>
  Number(/ (\d+)/.exec(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1] ?? 0)

/** Things worth keeping, at a platform; `check` finds all of them at another one. */
async function keepsakes(t: Test) {
  const model = await startModelServer(t)
  const env = { OPENAI_COMPATIBLE_BASE_URL: model.url }
  let key = ''
  let agentId = ''
  let runId = ''
  const messages = [{ role: 'user', content: 'Where does Ada live?' }]

  async function fill(url: string, at: Readonly<Record<string, string>>) {
    const create = ['keys', 'create', '--name', 'ada', '--type', 'user', '--admin']
    key = (await commands(at).printed(...create)).trim()
    const ada = createClient(url, 'ada', key)
    const set = await ada.put('/v1/packs/models', { settings: { openaiCompatibleApiKey: secret } })
    t.match(set, {
      status: 200,
      body: { data: { settings: { openaiCompatibleApiKey: { value: { set: true } } } } }
    })
    agentId = (await ada.agent({ modelProvider: 'openai-compatible', modelId: 'mock' })).id
    const run = await ada.post('/v1/agents/run', { agentId, messages })
    t.match(run, { status: 200, body: { data: { status: 'completed' } } })
    runId = run.body.data.id
  }

  async function check(url: string) {
    const ada = createClient(url, 'ada', key)
    t.match(
      await ada.get(`/v1/agents/${agentId}`),
      { status: 200 },
      'the agent is there, and the key is known'
    )
    t.match(await ada.get(`/v1/agents/runs/${runId}`), {
      status: 200,
      body: { data: { status: 'completed' } }
    })
    const before = model.requests.length
    const run = await ada.post('/v1/agents/run', { agentId, messages })
    t.match(run, { status: 200, body: { data: { status: 'completed' } } }, 'it runs')
    t.equal(model.requests.length, before + 1)
    t.equal(model.requests.at(-1)?.headers.authorization, `Bearer ${secret}`, 'sealed secrets open')
  }
  return { env, fill, check }
}

/** Its copy as it is at that moment: a link to the data of root's server becomes the data. Copies of packs are shared. */
function copy(from: string, to: string) {
  mkdirSync(to)
  for (const name of readdirSync(from)) run('cp', [name === 'packs' ? '-a' : '-aL', join(from, name), to])
}

t.test('the embedded database: stopped, copied, started on the copy', async (t) => {
  const { env, fill, check } = await keepsakes(t)
  const [DATA_DIR, restored] = [await preparedDataDir(t), join(folderFor(t), 'restored')]
  const first = await serve(t, { ...env, DATA_DIR })
  await fill(first.url, { DATA_DIR })
  first.kill('SIGTERM')
  t.equal(await first.exited, 0)
  copy(DATA_DIR, restored)
  run('rm', ['-r', DATA_DIR])
  const second = await serve(t, { ...env, DATA_DIR: restored })
  await check(second.url)
  second.kill('SIGTERM')
  t.equal(await second.exited, 0)
})

const noProc = process.platform !== 'linux' && 'needs /proc'
t.test('the embedded database: a snapshot while it runs', { skip: noProc }, async (t) => {
  const { env, fill, check } = await keepsakes(t)
  const [DATA_DIR, restored] = [await preparedDataDir(t), join(folderFor(t), 'restored')]
  const first = await serve(t, { ...env, DATA_DIR })
  await fill(first.url, { DATA_DIR })
  // Stopped for the moment, all its processes leave the files as a snapshot of the file system has them.
  const where = readlinkSync(
    `/proc/${readFileSync(join(DATA_DIR, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]}/cwd`
  )
  const pids = readdirSync('/proc').filter((pid) => {
    try {
      return Number(pid) > 0 && readlinkSync(`/proc/${pid}/cwd`) === where
    } catch {
      return false
    }
  })
  for (const pid of pids) process.kill(Number(pid), 'SIGSTOP')
  try {
    copy(DATA_DIR, restored)
  } finally {
    for (const pid of pids) process.kill(Number(pid), 'SIGCONT')
  }
  const second = await serve(t, { ...env, DATA_DIR: restored })
  await check(second.url)
  await check(first.url)
  for (const each of [first, second]) {
    each.kill('SIGTERM')
    t.equal(await each.exited, 0)
  }
})

const argumentsFor = ({ host = '', port = 5432, user = '', database = '' }: Connection) =>
  ['-h', host, '-p', port, '-U', user, '-d', database].map(String)

/** All of a database into an empty one, by what every PostgreSQL brings along. */
function move(from: Connection, to: Connection) {
  const input = run('pg_dump', [...argumentsFor(from), '--no-owner', '--no-privileges'], {
    env: passwordOf(from)
  })
  const psql = ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '--single-transaction']
  run('psql', [...argumentsFor(to), ...psql], { input, env: passwordOf(to) })
}
const passwordOf = ({ password }: Connection) => (password ? { PGPASSWORD: String(password) } : {})

t.test('dumped while it serves, restored into another database', async (t) => {
  const { env, fill, check } = await keepsakes(t)
  const [from, to] = [await database(t, migrated()), await database(t)]
  const { rows } = await from.knex.raw(`select current_setting('server_version_num')::int / 10000 as major`)
  if (majorOf('pg_dump') < rows[0].major)
    return t.pass('restored', { skip: `needs pg_dump of PostgreSQL ${rows[0].major}` })
  const shared = { ...env, PLATFORM_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }
  const first = await serve(t, { ...shared, DATABASE_URL: databaseUrl(from.connection) })
  await fill(first.url, { DATABASE_URL: databaseUrl(from.connection) })
  move(from.connection, to.connection)
  const second = await serve(t, { ...shared, DATABASE_URL: databaseUrl(to.connection) })
  await check(second.url)
})

const oldClient = majorOf('pg_dump') < 18 && 'needs pg_dump of PostgreSQL 18'
t.test('from the embedded database to a server', { skip: oldClient }, async (t) => {
  const { env, fill, check } = await keepsakes(t)
  const DATA_DIR = await preparedDataDir(t)
  const first = await serve(t, { ...env, DATA_DIR })
  await fill(first.url, { DATA_DIR })
  const server: Embedded = await start(t, join(await preparedDataDir(t), 'postgres'))
  move(
    { ...addressOf(join(DATA_DIR, 'postgres')), user: 'platform', database: 'platform' },
    server.connection
  )
  first.kill('SIGTERM')
  t.equal(await first.exited, 0)
  const PLATFORM_SECRET_KEY = readFileSync(join(DATA_DIR, 'secret-key'), 'utf8').trim()
  const DATABASE_URL = databaseUrl(server.connection)
  const second = await serve(t, { ...env, NODE_ENV: 'production', DATABASE_URL, PLATFORM_SECRET_KEY })
  await check(second.url)
  t.match(await query(server, 'select count(*)::int as runs from runs.run'), [{ runs: 2 }])
  second.kill('SIGTERM')
  t.equal(await second.exited, 0)
})
