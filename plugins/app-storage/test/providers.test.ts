import t from 'tap'
import { mongodbFixture } from './mongodb-fixture.ts'
import { postgresqlServer, stage } from './testbed.ts'

const lines: string[] = []
const booted = await stage(t, { log: (line) => void lines.push(JSON.stringify(line)) })
const { as, anyone, admin, platform } = booted
const { knex } = platform
const [ada, eve] = [as('ada'), as('eve')]
const postgresql = await postgresqlServer(t)
const mongodb = await mongodbFixture(t)
const SECRET = 'pa55-w0rd'

t.test('where the data lies is shown to who may change it', async (t) => {
  const app = await booted.app()
  t.match(await ada.get(app.path), {
    status: 200,
    body: {
      data: {
        id: app.id,
        provider: 'platform',
        connection: { set: false, host: null },
        status: 'ready',
        target: null,
        failure: null,
        used: { bytes: 0, rows: 0 },
        quota: { bytes: 104_857_600, rows: 100_000 },
        version: 0,
        updatedAt: null
      }
    }
  })
  for (const send of [(by: typeof ada) => by.get(app.path), (by: typeof ada) => by.put(app.path, {})]) {
    t.match(await send(anyone), { status: 401 })
    t.match(await send(eve), { status: 403, body: { error: { code: 'not_owner' } } })
    t.match(await send(as('ada', { project: 'other' })), { status: 404 })
    t.match(await send(admin), { status: 200 })
    t.match(await send(as('narrow', { scopes: ['agents:read'] })), { status: 403 })
  }
  t.match(await ada.get('/v1/ui-plugins/no-such-app/storage'), { status: 404 })
  t.match(await ada.put('/v1/ui-plugins/no-such-app/storage', {}), { status: 404 })
  await app.as('ada')('storage.set', { key: 'four', value: 'x' })
  t.match((await ada.get(app.path)).body.data.used, { bytes: 7, rows: 1 })
})

t.test('an address is looked at before anything is', async (t) => {
  const app = await booted.app()
  const cut = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----'
  const cases: [body: object, param: string][] = [
    [{ provider: 'oracle' }, '/provider'],
    [{ provider: 'mongodb' }, '/connection/url'],
    [{ provider: 'platform', connection: { url: mongodb.url } }, '/connection/url'],
    [{ provider: 'mongodb', connection: { ca: '-----BEGIN CERTIFICATE-----' } }, '/connection/ca'],
    [{ provider: 'mongodb', connection: { url: mongodb.url, ca: '/etc/passwd' } }, '/connection/ca'],
    [{ provider: 'mongodb', connection: { url: mongodb.url, password: 'x' } }, '/connection/password'],
    [{ provider: 'mongodb', connection: { url: mongodb.url, ca: cut } }, '/connection/ca'],
    [{ colour: 'red' }, '/colour'],
    ...[
      'no address',
      'https://db.example/x',
      `postgresql://u:${SECRET}@db.example`,
      `postgresql://u:${SECRET}@db.example/`,
      `postgresql://${SECRET}@/x`,
      `postgresql://:${SECRET}@db.example/x`,
      `postgresql://u:${SECRET}@%2Fvar%2Frun/x`,
      `postgresql://u:${SECRET}@a,b/x`,
      `postgresql://u:${SECRET}@db.example:0/x`,
      `postgresql://u:${SECRET}@db.example:65536/x`,
      `postgresql://u:${SECRET}@db.example/x?host=/var/run`,
      `postgresql://u:${SECRET}@db.example/x?sslrootcert=/etc/passwd`,
      `postgresql://u:${SECRET}@db.example/x?options=-csearch_path%3Dx`,
      `postgresql://u:${SECRET}@db.example/x?sslmode=prefer`,
      `postgresql://u:${SECRET}@db.example/x?sslmode=require&sslmode=disable`,
      `postgresql://u:%zz@db.example/x`,
      `postgresql://u:${SECRET}@db.example/a"b`,
      `mongodb://u:${SECRET}@db.example/x`
    ].map((url) => [{ provider: 'postgresql', connection: { url } }, '/connection/url'] as [object, string]),
    ...[
      `postgresql://u:${SECRET}@db.example/x`,
      `mongodb://u:${SECRET}@db.example`,
      `mongodb://u:${SECRET}@%2Ftmp%2Fmongodb.sock/x`,
      `mongodb+srv://u:${SECRET}@db.example:27017/x`,
      `mongodb://u:${SECRET}@db.example/x?tlsCAFile=/etc/passwd`,
      `mongodb://u:${SECRET}@db.example/x?proxyHost=127.0.0.1`,
      `mongodb://u:${SECRET}@db.example/x?authMechanism=MONGODB-AWS`,
      `mongodb://u:${SECRET}@db.example/x?__proto__=1`,
      `mongodb://${Array(8).fill('db.example').join()}/x`
    ].map((url) => [{ provider: 'mongodb', connection: { url } }, '/connection/url'] as [object, string])
  ]
  for (const [body, param] of cases) {
    const reply = await ada.put(app.path, body)
    t.match(reply, { status: 400, body: { error: { param } } }, JSON.stringify(body))
    t.notOk(reply.text.includes(SECRET))
  }
})

t.test('nothing private is connected to, however it is spelled', async (t) => {
  const app = await booted.app()
  const before = mongodb.connections().opened
  const hosts = [
    '127.0.0.3',
    '127.0.0.2',
    '[::1]',
    '2130706434',
    '0x7f.2',
    '10.0.0.1',
    '169.254.169.254',
    '0'
  ]
  for (const host of hosts)
    for (const [provider, url] of [
      ['postgresql', `postgresql://u:${SECRET}@${host}:${mongodb.port}/x?sslmode=disable`],
      ['mongodb', `mongodb://u:${SECRET}@${host}:${mongodb.port}/x?tls=false`]
    ] as const) {
      const reply = await ada.put(app.path, { provider, connection: { url } })
      t.match(reply, { status: 502, body: { error: { code: 'address_refused' } } }, url)
      t.notOk(reply.text.includes(SECRET))
    }
  t.equal(mongodb.connections().opened, before)

  // What a server says of its set is a stranger’s word.
  for (const primary of [
    `127.0.0.2:${mongodb.port}`,
    '10.0.0.1:1',
    '/tmp/x.sock',
    '%2Ftmp%2Fx.sock:1',
    '[::1]:1'
  ]) {
    const lying = await mongodbFixture(t, {
      hello: {
        isWritablePrimary: false,
        ismaster: false,
        secondary: true,
        setName: 's',
        primary,
        hosts: [primary]
      }
    })
    const reply = await ada.put(app.path, { provider: 'mongodb', connection: { url: lying.url } })
    const code = primary.startsWith('/') || primary.startsWith('%') ? 'store_read_only' : 'address_refused'
    t.match(reply.body.error, { code }, primary)
  }
  const set = { isWritablePrimary: false, ismaster: false, secondary: true, setName: 's' }
  const second = await mongodbFixture(t, { hello: { ...set, primary: `127.0.0.1:${mongodb.port}` } })
  t.match(await ada.put(app.path, { provider: 'mongodb', connection: { url: second.url } }), { status: 200 })
  t.match(await app.settled(), { provider: 'mongodb', status: 'ready' }, 'by way of one that takes no writes')
})

t.test('a connection is tried before it is kept, and told of without a secret', async (t) => {
  const app = await booted.app()
  const put = (provider: string, url: string) => ada.put(app.path, { provider, connection: { url } })
  const failed = async (provider: string, url: string, status: number, code: string) => {
    const reply = await put(provider, url)
    t.match(reply, { status, body: { error: { code } } }, code)
    t.notMatch(reply.text, new RegExp(SECRET))
  }
  await failed('postgresql', postgresql.url.replace(/:\d+\//, ':1/'), 502, 'unreachable')
  await failed('mongodb', mongodb.url.replace(/:\d+\//, ':1/'), 502, 'unreachable')
  await failed('postgresql', postgresql.url.replace(/\/[^/]+\?/, `/none?`), 502, 'database_not_found')
  await failed('mongodb', mongodb.url.replace('//', `//u:${SECRET}@`), 502, 'credentials_refused')
  await failed('postgresql', postgresql.url.replace('disable', 'verify-full'), 502, 'tls_unsupported')
  mongodb.play((command) =>
    command === 'createIndexes' ? { code: 13, errmsg: `not authorized as ${SECRET}` } : undefined
  )
  await failed('mongodb', mongodb.url, 502, 'not_permitted')
  mongodb.play(() => undefined)
  t.match(await ada.get(app.path), {
    body: { data: { provider: 'platform', version: 0, connection: { set: false } } }
  })
  t.equal(
    await knex('app_storage.placement').where({ appId: app.id }).first(),
    undefined,
    'nothing of it is kept'
  )
})

t.test('an address is sealed, changed, and never shown', async (t) => {
  const app = await booted.app()
  const url = postgresql.url.replace(/\/\/([^:]+):[^@]*@/, `//$1:${SECRET}@`)
  const chosen = await ada.put(
    app.path,
    { provider: 'postgresql', connection: { url } },
    { 'if-match': '"0"' }
  )
  t.match(chosen, {
    status: 200,
    body: {
      data: { version: 1, status: 'moving', target: { provider: 'postgresql', connection: { set: true } } }
    }
  })
  const state = await app.settled()
  t.match(state, {
    provider: 'postgresql',
    connection: { set: true, host: /^127\.0\.0\.1:\d+\// },
    version: 1
  })
  const row = await knex('app_storage.placement').where({ appId: app.id }).first()
  t.match(row.connection, /^v1\.dk_/)
  t.notMatch(JSON.stringify(row), new RegExp(SECRET))

  t.match(await ada.put(app.path, { provider: 'platform' }, { 'if-match': '"0"' }), { status: 412 })
  t.match(
    await ada.put(app.path, state),
    { status: 200, body: { data: { version: 1 } } },
    'what was read changes nothing'
  )
  const again = await ada.put(app.path, { provider: 'postgresql', connection: { url: `${url}&` } })
  t.match(again.body.data, { version: 2, status: 'ready', target: null }, 'the same store by another address')
  const { rows } = await platform.knex
    .raw('select data from kernel.fact where subject = ?', [app.id])
    .catch(() => ({ rows: [] }))
  t.notMatch(JSON.stringify(rows), new RegExp(SECRET))
  t.notMatch(lines.join(), new RegExp(SECRET), 'nor is it logged')
})

t.test('a store that has data of the app is not written over', async (t) => {
  const app = await booted.app()
  const place = { project: 'default', appId: app.id, state: 'live', token: null }
  mongodb
    .documents('app_storage_usage')
    .push({ _id: 'old', ...place, bytes: 9, rows: 1, began: 0, ended: 0, beganAt: new Date() })
  const reply = await ada.put(app.path, { provider: 'mongodb', connection: { url: mongodb.url } })
  t.match(reply, { status: 409, body: { error: { code: 'store_not_empty' } } })
})

t.test('an operator may want TLS, or nothing outside', async (t) => {
  const strict = await stage(t, { beside: booted, env: { APP_STORAGE_REQUIRE_TLS: 'true' } })
  const app = await strict.app(strict.as('kim'))
  const put = (by: typeof strict, url: string) =>
    by.as('kim').put(app.path, { provider: 'postgresql', connection: { url } })
  for (const mode of ['disable', 'require'])
    t.match(await put(strict, postgresql.url.replace('disable', mode)), {
      status: 400,
      body: { error: { param: '/connection/url', code: 'tls_required' } }
    })
  const closed = await stage(t, { beside: booted, env: { APP_STORAGE_OUTSIDE: 'false' } })
  t.match(await put(closed, postgresql.url), { status: 403, body: { error: { code: 'outside_off' } } })
})
