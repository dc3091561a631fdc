// tier: whole
import { chmodSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { findServer } from '../../kernel/database/embedded/postmaster.ts'
import { preparedDataDir } from '../data-dir.ts'
import type { Env } from './command.ts'
import { commands, platform } from './command.ts'
import { dataDir } from './secretive.ts'

interface Row {
  readonly check: string
  readonly status: 'ok' | 'warning' | 'problem'
  readonly found: string
  readonly advice?: string
}

/** What the doctor says, by check, and how it ends. */
async function doctor(env: Env) {
  const { code, out, err } = await commands({ PORT: '0', ...env }).call('doctor', '--json')
  const report = JSON.parse(out) as { problems: number; warnings: number; checks: Row[] }
  return { code, out, err, ...report, of: Object.fromEntries(report.checks.map((row) => [row.check, row])) }
}

t.test('a folder in which nothing ever ran', async (t) => {
  const DATA_DIR = await dataDir(t)
  const found = await doctor({ DATA_DIR })
  t.equal(found.code, 0, found.out)
  t.equal(found.problems, 0)
  for (const check of ['database', 'notifications', 'migrations', 'master key', 'packs'])
    t.match(found.of[check], { status: 'ok', found: 'made at the first start' }, check)
  t.notOk(existsSync(DATA_DIR), 'and nothing was made')
  t.strictSame(readdirSync(join(DATA_DIR, '..')), [])
})

t.test('faults of every kind, told together and without secrets', async (t) => {
  const env = {
    DATA_DIR: await dataDir(t),
    DATABASE_URL: 'postgres://ann:hunter2word@127.0.0.1:1/x',
    REDIS_URL: 'redis://:hunter2word@127.0.0.1:1',
    NODE_ENV: 'production',
    DEPLOYMENT: 'nowhere',
    TRUST_PROXY: 'true',
    LOG_LEVEL: 'loud'
  }
  const found = await doctor(env)
  t.equal(found.code, 1)
  t.notMatch(found.out + found.err, /hunter2word/)
  t.match(found.of.settings, { status: 'problem', found: /LOG_LEVEL.*PLATFORM_SECRET_KEY/ })
  t.match(found.of.deployment, { status: 'problem', found: /config\/nowhere\.json/ })
  t.match(found.of.production, { status: 'warning', found: /TRUST_PROXY/ })
  t.match(found.of.database, {
    status: 'problem',
    found: /127\.0\.0\.1:1\/x cannot be reached: .*ECONNREFUSED/
  })
  t.match(found.of.notifications, { status: 'warning', advice: 'see database' })
  t.match(found.of.redis, { status: 'problem', found: /ECONNREFUSED/ })
  t.match(found.of.node, { status: 'ok' }, 'and what is right is seen all the same')
  for (const { status, advice } of found.checks) t.equal(advice === undefined, status === 'ok')

  const { code, out } = await commands(env).call('doctor')
  t.equal(code, 1)
  t.match(out, /^problem {2}settings +.*\n +→ change these variables/m, 'and for people')
  t.match(out, new RegExp(`\n${found.problems} problems, ${found.warnings} warnings\n$`))

  const unread = await doctor({
    DATA_DIR: env.DATA_DIR,
    DATABASE_URL: 'mysql://root:hunter2word@localhost/x'
  })
  t.equal(unread.code, 1)
  t.match(unread.of.database, { status: 'problem', found: /DATABASE_URL is no address/ })
  t.notMatch(unread.out, /hunter2word/)
  t.notOk(existsSync(env.DATA_DIR))
})

t.test('a platform that runs, and one that is stopped', async (t) => {
  const DATA_DIR = await preparedDataDir(t)
  const running = await platform(t, { DATA_DIR })
  const { port } = new URL(running.url)
  const found = await doctor({ DATA_DIR, PORT: port })
  t.equal(found.code, 0, found.out)
  t.match(found.of.port, { status: 'ok', found: /this platform listens on/ })
  t.match(found.of.instances, { status: 'ok', found: /^1 instance of version/ })
  t.match(found.of.packs, { status: 'ok', found: /^\d+ run$/ })
  t.match(found.of.models, { status: 'ok', found: /^local\// })
  t.match(found.of.migrations, { status: 'ok', found: /none pending/ })
  t.match(found.of.notifications, { status: 'ok', found: 'a notification was heard' })
  t.match(found.of['prepared statements'], { status: 'ok' })
  const other = await doctor({ DATA_DIR: await dataDir(t), PORT: port })
  t.match(other.of.port, { status: 'problem', found: /another platform listens/ })
  t.equal(other.code, 1)
  const server = () => findServer(join(DATA_DIR, 'postgres'))
  t.ok(server())
  await running.stop()

  const file = join(DATA_DIR, 'secret-key')
  chmodSync(file, 0o644)
  const stopped = await doctor({ DATA_DIR })
  t.equal(stopped.code, 1)
  t.match(stopped.of['key files'], { status: 'problem', advice: `chmod 600 ${file}` })
  t.match(stopped.of.database, { status: 'ok', found: /^PostgreSQL 18/ })
  t.match(stopped.of.instances, { status: 'ok', found: 'none runs' })
  t.equal(server(), undefined, 'and the database is stopped again')
})
