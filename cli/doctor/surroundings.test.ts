import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@redis/client'
import t from 'tap'
import { channelOf } from '../../kernel/events/signals-transports.ts'
import { canBeOffline } from '../../kernel/untrusted/workers/network.ts'
import { boot } from '../../test/boot.ts'
import { createMask } from './mask.ts'
import { judgeMemory } from './redis.ts'
import { living, look, targetOf } from './target-fixture.ts'

t.test('the machine', async (t) => {
  const target = targetOf(t)
  for (const name of ['node', 'embedded PostgreSQL'])
    t.match(await look(target, name), { status: 'ok' }, name)
  for (const name of ['memory', 'disk'])
    t.match(await look(target, name), { found: /\d+ [KMGT]?B free/ }, name)
  t.match(await look(target, 'confinement'), {
    found: (await canBeOffline()) ? /without network access/ : /without network isolation/
  })
  const server = targetOf(t, { DATABASE_URL: 'postgres://localhost/x' })
  t.match(await look(server, 'embedded PostgreSQL'), { status: 'ok', found: /not needed/ })
})

t.test('the data folder', async (t) => {
  const above = t.testdir()
  const DATA_DIR = join(above, 'deep', 'data')
  const target = targetOf(t, { DATA_DIR })
  t.match(await look(target, 'data folder'), { status: 'ok', found: /is made at the first start/ })
  t.match(await look(target, 'key files'), { status: 'ok', found: 'none yet' })
  t.strictSame(readdirSync(above), [], 'and nothing was')
  mkdirSync(DATA_DIR, { recursive: true })
  t.match(await look(target, 'data folder'), { status: 'ok', found: DATA_DIR })
  chmodSync(DATA_DIR, 0o777)
  t.match(await look(target, 'data folder'), { status: 'warning', advice: /chmod go-w/ })
  chmodSync(DATA_DIR, 0o700)
  for (const name of ['secret-key', 'development-key']) {
    const file = join(DATA_DIR, name)
    writeFileSync(file, 'x', { mode: 0o600 })
    t.match(await look(target, 'key files'), { status: 'ok' })
    chmodSync(file, 0o640)
    t.match(await look(target, 'key files'), { status: 'problem', advice: `chmod 600 ${file}` })
    chmodSync(file, 0o600)
  }
  const file = join(above, 'file')
  writeFileSync(file, '')
  t.match(await look(targetOf(t, { DATA_DIR: file }), 'data folder'), {
    status: 'problem',
    found: /is no folder/
  })
  const below = join(above, 'node_modules', 'data')
  t.match(await look(targetOf(t, { DATA_DIR: below }), 'data folder'), {
    status: 'problem',
    found: /node_modules/
  })
  const isRoot = process.getuid?.() === 0
  chmodSync(DATA_DIR, 0o500)
  if (isRoot) t.pass('no folder is closed', { skip: 'root may write everywhere' })
  else t.match(await look(target, 'data folder'), { status: 'problem', found: /cannot be written/ })
  chmodSync(DATA_DIR, 0o700)
})

t.test('production', async (t) => {
  const key = Buffer.alloc(32, 1).toString('base64')
  const at = (env: Record<string, string>) =>
    look(targetOf(t, { NODE_ENV: 'production', PLATFORM_SECRET_KEY: key, ...env }), 'production')
  const good = { BASE_URL: 'https://agents.example', TRUST_PROXY: '1' }
  t.match(await at(good), { status: 'ok', found: 'yes, at https://agents.example' })
  t.match(await at({ TRUST_PROXY: '1' }), { status: 'warning', found: /BASE_URL is not set/ })
  t.match(await at({ ...good, BASE_URL: 'http://agents.example' }), { status: 'warning', found: /not https/ })
  t.match(await at({ ...good, TRUST_PROXY: 'true' }), { status: 'warning', found: /any address/ })
  t.match(await at({ ...good, TRUST_PROXY: 'false' }), { status: 'warning', found: /loopback/ })
  t.match(await look(targetOf(t), 'production'), { status: 'ok' })
  t.match(await look(targetOf(t, { HOST: '0.0.0.0' }), 'production'), {
    status: 'warning',
    advice: /NODE_ENV/
  })
  const bare = targetOf(t, { NODE_ENV: 'production' })
  t.match(await look(bare, 'settings'), { status: 'problem', found: /PLATFORM_SECRET_KEY is required/ })
  t.match(await look(bare, 'master key'), { status: 'ok', found: 'made at the first start' })
})

t.test('the port', async (t) => {
  const server = createServer((socket) => {
    socket
      .on('error', () => undefined)
      .resume()
      .end('220 mail\r\n')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const PORT = String((server.address() as AddressInfo).port)
  const target = targetOf(t, { PORT })
  t.match(await look(target, 'port'), { status: 'problem', found: /another program/ })
  const own = living(1, { host: hostname(), url: `http://127.0.0.1:${PORT}`, pid: 4711 })
  t.match(await look({ ...target, living: [own] }, 'port'), { status: 'ok', found: /as process 4711/ })
  server.close()
  await once(server, 'close')
  t.match(await look(target, 'port'), { status: 'ok', found: /is free/ })
  t.match(await look(targetOf(t, { HOST: '192.0.2.1', PORT }), 'port'), {
    status: 'problem',
    advice: /HOST/
  })
  t.match(await look(targetOf(t), 'port'), { status: 'ok', found: 'any that is free' })
  const { url } = await boot(t, 'outgoing', 'models')
  const taken = targetOf(t, { PORT: new URL(url).port })
  t.match(await look(taken, 'port'), { status: 'problem', found: /another platform/ })
  const serving = { ...target, living: [living(1, { host: hostname(), url })] }
  t.match(await look(serving, 'models'), { status: 'ok', found: /no other provider/ })
  t.match(await look(target, 'models'), { status: 'ok', found: 'known while the platform runs' })
})

t.test('Redis', async (t) => {
  t.match(await look(targetOf(t), 'redis'), { status: 'ok', found: /not used/ })
  const away = targetOf(t, { REDIS_URL: 'redis://:hunter2@127.0.0.1:1/3' })
  const found = await look(away, 'redis')
  t.match(found, { status: 'problem', found: /127\.0\.0\.1:1\/3 cannot be reached: .*ECONNREFUSED/ })
  t.notMatch(found.found, /hunter2/)
  const memory = (values: Record<string, string>) =>
    judgeMemory(new Map(Object.entries({ used_memory: '90', ...values })))
  t.match(memory({ maxmemory: '0' }), { status: 'ok' })
  t.match(memory({ maxmemory: '1000', maxmemory_policy: 'noeviction' }), { status: 'ok' })
  t.match(memory({ maxmemory: '100', maxmemory_policy: 'noeviction' }), { status: 'warning' })
  t.match(memory({ maxmemory: '1000', maxmemory_policy: 'allkeys-lru' }), {
    status: 'warning',
    advice: /noeviction/
  })
})

const { TEST_REDIS_URL: redis } = process.env
t.test('a Redis that answers', { skip: redis ? false : 'TEST_REDIS_URL is not set' }, async (t) => {
  const REDIS_URL = `${redis}/0`
  const target = targetOf(t, { REDIS_URL })
  t.match(await look(target, 'redis'), { status: 'ok', found: /^Redis \d+/ })
  t.match(await look(target, 'redis memory'), { found: / B| [KMG]B/ })
  const other = createClient({ url: REDIS_URL })
  await other.connect()
  t.teardown(() => other.close())
  t.match(await look(target, 'redis sharing'), { status: 'ok' })
  await other.subscribe(channelOf(REDIS_URL), () => undefined)
  t.match(await look(target, 'redis sharing'), { status: 'problem', found: /shares it/ })
})

t.test('secrets are taken out of what is told', async (t) => {
  const mask = createMask({
    DATABASE_URL: 'postgres://ann:p%40ssword@host/x',
    REDIS_URL: 'redis://:hunter2@host',
    BROKEN_URL: 'mysql://root:s3cr/et@host',
    OTHER_URL: 'postgres://host/x?password=querying',
    PLATFORM_SECRET_KEY: 'first-key,second-key',
    OPENAI_API_KEY: 'sk-long',
    HOST: 'host'
  })
  for (const secret of [
    'p%40ssword',
    'p@ssword',
    'hunter2',
    's3cr/et',
    'querying',
    'first-key',
    'second-key',
    'first-key,second-key',
    'sk-long'
  ])
    t.equal(mask(`it said ${secret}, twice: ${secret}`), 'it said ***, twice: ***')
  t.equal(mask('ann at host'), 'ann at host')
})
