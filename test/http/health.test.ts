import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import type { Booted } from '../boot.ts'
import { boot } from '../boot.ts'
import { createClient } from '../client.ts'
import { database } from '../database.ts'
import { migrated } from '../migrated.ts'
import { packText, temporaryFolder, writeFiles } from '../pack-folders.ts'
import { proxy } from '../proxy.ts'
import { databaseUrl, run, urlOf } from './process.ts'
import { refused } from './refused.ts'

async function until(status: number, ask: () => Promise<{ status: number }>): Promise<void> {
  while ((await ask()).status !== status) await pause(20)
}
const wayTo = (t: Parameters<typeof proxy>[0], { host = '', port = 5432 }: Booted['connection']) =>
  proxy(t, host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })

t.test('who is up, and who failed', async (t) => {
  const folder = await temporaryFolder(t)
  await writeFiles(folder, {
    'broken/pack.ts': packText('broken', 'start: async () => { throw new Error("no") }')
  })
  const { anyone } = await boot(t, { packs: ['access', 'agents', 'goals', 'broken'], folders: [folder] })
  const { status, body, headers } = await anyone.get('/health')
  t.equal(status, 200)
  t.match(body, { data: { status: 'ok', version: '0.0.0-test' } })
  t.strictSame(body.data.packs, { up: ['access', 'agents', 'goals'], failed: ['broken'] })
  t.match(headers.get('x-request-id'), /^req_/)
  t.strictSame((await anyone.get('/health/ready')).body, {
    data: { ready: true, database: true, migrations: true, storage: true, draining: false }
  })
  for (const headers of [{ 'x-forwarded-for': '203.0.113.7' }, { forwarded: 'for=203.0.113.7' }])
    t.strictSame(
      (await anyone.get('/health', headers as never)).body,
      { data: { status: 'ok', version: null, packs: null } },
      'strangers are told no more'
    )
  refused(t, await anyone.post('/health', {}), 404)
  t.match(await anyone.get('/health', { authorization: 'Bearer nonsense' }), { status: 200 })
})

t.test('the database goes and comes back', async (t) => {
  const one = await boot(t, 'goals')
  const way = await wayTo(t, one.connection)
  const two = await boot(t, 'goals', {
    beside: { ...one, connection: { ...one.connection, host: way.host, port: way.port } }
  })
  const ada = createClient(two.url, 'ada', await one.as('ada').key())
  const first = await ada.post('/v1/agents', { name: 'First' })
  t.equal(first.status, 201)

  for (const fail of ['cut', 'hang'] as const) {
    way[fail]()
    await until(503, () => two.anyone.get('/health/ready'))
    t.match((await two.anyone.get('/health/ready')).body, { data: { ready: false, database: false } }, fail)
    t.match(await two.anyone.get('/health'), { status: 200 }, 'alive all the same')
    for (const ask of [
      () => ada.get('/v1/agents'),
      () => ada.post('/v1/agents', { name: 'Lost' }, { 'idempotency-key': fail })
    ])
      refused(t, await ask(), 503, {}, fail)
    refused(t, await ada.get('/v1/nope'), 404)
    way.mend()
    await until(200, () => two.anyone.get('/health/ready'))
    await until(200, () => ada.get('/v1/agents'))
  }
  t.match(await ada.get(`/v1/agents/${first.body.data.id}`), { status: 200 })
  t.match(await ada.post('/v1/agents', { name: 'Second' }), { status: 201 }, 'without a restart')
})

t.test('a database that is away at start is no fault', async (t) => {
  const { connection } = await database(t, migrated())
  const way = await wayTo(t, connection)
  way.cut()
  const it = await run(t, { DATABASE_URL: databaseUrl({ ...connection, host: way.host, port: way.port }) })
  const anyone = createClient(await urlOf(it), 'anyone')
  t.match(await anyone.get('/health'), { status: 200 })
  t.match(await anyone.get('/health/ready'), {
    status: 503,
    body: { data: { ready: false, migrations: false } }
  })
  refused(t, await anyone.get('/v1/agents'), 503, { code: 'starting' })
  refused(t, await anyone.post('/v1/agents', {}), 503, { code: 'starting' })
  way.mend()
  await it.line('ready')
  t.match(await anyone.get('/health/ready'), { status: 200 })
  refused(t, await anyone.get('/v1/agents'), 401)
  it.kill('SIGTERM')
  t.equal(await it.exited, 0)
})
