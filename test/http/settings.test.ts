import { existsSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { readSettings } from '../../kernel/settings.ts'
import { temporaryFolder } from '../pack-folders.ts'
import { run } from './process.ts'

/** A single one stands in the line that says that the platform cannot start. */
const faultsOf = (output: string) =>
  output.split('\n').filter((line) => /^( {2}- |The platform cannot start: )/.test(line))

t.test('every fault is told at once', async (t) => {
  const it = await run(t, {
    PORT: '70000',
    DATABASE_URL: 'mysql://root:hunter2@localhost/x',
    REDIS_URL: 'localhost:6379',
    API_AUTH_REQUIRED: 'perhaps',
    AUTH_URL: 'ftp://id.example',
    TRUST_PROXY: 'everyone',
    CORS_ORIGINS: 'https://ok.example, https://bad.example/path, *',
    LOG_LEVEL: 'loud',
    DEPLOYMENT: 'nowhere',
    GATEWAY_LIMIT_PER_MINUTE: '0',
    PLATFORM_LIMIT_PER_MINUTE: 'many',
    SENSITIVE_LIMIT_PER_MINUTE: '-1',
    ANONYMOUS_LIMIT_PER_MINUTE: '1.5'
  })
  t.equal(await it.exited, 1)
  const faults = faultsOf(it.output())
  for (const name of [
    'PORT',
    'DATABASE_URL',
    'REDIS_URL',
    'API_AUTH_REQUIRED',
    'AUTH_URL',
    'TRUST_PROXY',
    'LOG_LEVEL',
    'DEPLOYMENT',
    'GATEWAY_LIMIT_PER_MINUTE',
    'PLATFORM_LIMIT_PER_MINUTE',
    'SENSITIVE_LIMIT_PER_MINUTE',
    'ANONYMOUS_LIMIT_PER_MINUTE'
  ])
    t.equal(faults.filter((line) => line.startsWith(`  - ${name} `)).length, 1, name)
  t.equal(faults.filter((line) => line.includes('CORS_ORIGINS')).length, 2, 'both bad origins')
  t.match(it.output(), 'https://bad.example/path')
  t.notMatch(it.output(), 'hunter2', 'and no password')
  t.notMatch(it.output(), /at .*\.ts:\d/, 'and no stack')
})

t.test('what must not be together', async (t) => {
  const cases: [Record<string, string>, RegExp[]][] = [
    [{ NODE_ENV: 'production', API_AUTH_REQUIRED: 'false' }, [/API_AUTH_REQUIRED/, /PLATFORM_SECRET_KEY/]],
    [{ API_AUTH_REQUIRED: 'false', HOST: '0.0.0.0' }, [/API_AUTH_REQUIRED.*loopback/]],
    [{ API_AUTH_REQUIRED: 'false', HOST: '::' }, [/API_AUTH_REQUIRED.*loopback/]],
    [{ AUTH_URL: 'https://id.example' }, [/AUTH_URL needs BASE_URL/]],
    [
      { TRUST_PROXY: '10.0.0.0/99, abc', PLATFORM_SECRET_KEY: 'short', PORT: 'x' },
      [/TRUST_PROXY: "10.0.0.0\/99"/, /TRUST_PROXY: "abc"/, /PLATFORM_SECRET_KEY must be/, /PORT/]
    ],
    [
      { NODE_ENV: 'production', DATABASE_URL: 'postgres://127.0.0.1:1/x' },
      [/PLATFORM_SECRET_KEY is required/]
    ]
  ]
  for (const [env, wanted] of cases) {
    const { faults } = readSettings(env)
    t.equal(faults.length, wanted.length, faults.join('\n'))
    for (const fault of wanted) t.match(faults.join('\n'), fault)
  }
})

t.test('a start that fails leaves no database behind', async (t) => {
  const folder = await temporaryFolder(t)
  // Else root's database would lie elsewhere, and stay there.
  await chmod(folder, 0o755)
  const DATA_DIR = join(folder, 'data')
  await mkdir(DATA_DIR)
  await writeFile(join(DATA_DIR, 'secret-key'), 'short', { mode: 0o600 })
  const it = await run(t, { DATA_DIR })
  t.equal(await it.exited, 1)
  t.match(it.output(), /secret-key must be 32 bytes/)
  t.match(it.lines[0], { msg: 'embedded PostgreSQL runs' })
  t.notOk(existsSync(join(DATA_DIR, 'postgres', 'postmaster.pid')))
})
