import t from 'tap'
import { boot } from '../../../test/boot.ts'
import type { Installations } from '../services/installations.ts'
import { appOf } from './testbed.ts'

const booted = await boot(t, 'ui-plugins', {
  env: { UI_PLUGINS_VERSIONS: '2', UI_PLUGINS_OWNER_APPS: '4', UI_PLUGINS_OWNER_BYTES: '1048576' }
})
const { as, anyone, platform, settled } = booted
const [ada, eve, admin] = [as('ada'), as('eve'), booted.admin]
const path = '/v1/ui-plugins'
const refuses = (status: number, code?: string, param?: string) => ({
  status,
  body: { error: { ...(code && { code }), ...(param && { param }) } }
})

t.test('an app is registered as a draft that may do nothing', async (t) => {
  const made = await ada.put(path, appOf())
  t.match(made, {
    status: 201,
    body: {
      data: {
        id: /^app_/,
        owner: 'ada',
        pluginId: 'weather-desk',
        name: 'Weather desk',
        status: 'draft',
        audience: 'owner',
        enabled: null,
        draft: { version: '1.0.0', digest: /^[\w-]{43}$/, size: 108 },
        grants: { capabilities: [], hosts: [] },
        functions: [{ name: 'forecast', title: 'Forecast', tool: true }],
        pages: [{ name: 'main', uri: 'ui://weather-desk/main' }],
        health: { state: 'healthy', losses: 0, reason: /sandbox is off/ }
      }
    }
  })
  t.same(
    made.body.data.consent.map(({ kind, name, isNew }: Record<string, unknown>) => [kind, name, isNew]),
    [
      ['capability', 'agents.read', true],
      ['capability', 'agents.list', true],
      ['host', '*.weather.example', true],
      ['tool', 'forecast', true]
    ]
  )
  t.same((await ada.get(`${path}/weather-desk`)).body.data, made.body.data)
  t.same((await ada.get(path)).body.data, [made.body.data])
  await t.rejects(service().of(principal('ada'), 'weather-desk'), { code: 'app_not_enabled' })
  await t.rejects(service().of(principal('eve'), 'weather-desk'), { code: 'not_owner' })
  await t.rejects(service().of(principal('ada'), 'nope'), { message: 'App not found' })
})

t.test('a version never changes', async (t) => {
  const { body } = await ada.get(`${path}/weather-desk`)
  t.match(await ada.put(path, appOf()), { status: 200, body: { data: body.data } }, 'the same again')
  const other = appOf({}, { 'server.js': { text: 'export const functions = { forecast: () => 1 }' } })
  t.match(await ada.put(path, other), refuses(409, 'version_exists', '/manifest/version'))
  const renamed = appOf({ name: 'Other' })
  t.match(await ada.put(path, renamed), refuses(409, 'version_exists'))
  t.match(await ada.put(path, appOf({ version: '1.1.0' }), { 'if-match': '"9"' }), refuses(412))
  t.match(await ada.put(path, appOf({ version: '1.1.0' }), { 'if-match': `"${body.data.version}"` }), {
    status: 200,
    body: { data: { draft: { version: '1.1.0' } } }
  })
  const { body: listed } = await ada.get(`${path}/weather-desk/versions?limit=1`)
  t.match(listed.data, [{ version: '1.1.0', manifest: { id: 'weather-desk' } }])
  t.same(
    listed.data[0].files.map(({ path, size }: Record<string, unknown>) => [path, size]),
    [
      ['pages/main.html', 45],
      ['server.js', 63]
    ]
  )
  const { body: rest } = await ada.get(`${path}/weather-desk/versions?cursor=${listed.nextCursor}`)
  t.match(rest, { data: [{ version: '1.0.0' }], nextCursor: null })
})

t.test('only so many versions are kept, and their bytes go', async (t) => {
  const held = async () =>
    Number(
      (await platform.knex('storage.reference').where('holder', 'like', 'ui-plugins/%').count().first())
        ?.count
    )
  const before = await held()
  await ada.put(path, appOf({ version: '1.2.0' }))
  const { body } = await ada.get(`${path}/weather-desk/versions`)
  t.same(
    body.data.map(({ version }: { version: string }) => version),
    ['1.2.0', '1.1.0']
  )
  t.equal(await held(), before, 'as many came as went')
})

t.test('an app is its owner’s', async (t) => {
  for (const client of [eve, as('sam', { type: 'service' }), admin])
    t.match(
      await client.put(path, appOf({ version: '2.0.0' })),
      client.id === 'sam' ? { status: 200 } : refuses(403, 'not_owner', '/manifest/id'),
      client.id
    )
  const bot = as((await ada.agent()).id, { type: 'agent' })
  t.match(await bot.put(path, appOf({ id: 'of-a-bot' })), refuses(403))
  for (const at of [`${path}/weather-desk`, `${path}/weather-desk/versions`]) {
    t.match(await eve.get(at), refuses(403, 'not_owner'))
    t.match(await bot.get(at), refuses(403))
    t.match(await as('zoe', { project: 'elsewhere' }).get(at), refuses(404))
    t.match(await anyone.get(at), refuses(401))
    t.equal((await admin.get(at)).status, 200, 'a maintainer looks at it')
  }
  t.match(await ada.get(`${path}/unheard-of`), refuses(404))
  t.match(await ada.get(`${path}/unheard-of/versions`), refuses(404))
  t.same((await eve.get(path)).body.data, [])
  t.equal((await admin.get(path)).body.data.length, 1)
  t.match(await anyone.put(path, appOf()), refuses(401))
  t.match(await as('narrow', { scopes: ['agents:write'] }).put(path, appOf()), refuses(403, 'scope_missing'))
  const zoe = as('zoe', { project: 'elsewhere' })
  t.match(await zoe.put(path, appOf()), { status: 201 }, 'each project has its own')
})

t.test('what is wrong is told with its place', async (t) => {
  const app = appOf({ id: 'other-app' })
  const put = (change: object) => ada.put(path, { ...app, ...change })
  const manifest = (change: object) => put({ manifest: { ...app.manifest, ...change } })
  const files = (change: object) => put({ files: { ...app.files, ...change } })
  t.match(await manifest({ version: 'one' }), refuses(400, undefined, '/manifest/version'))
  t.match(
    await manifest({ egress: [{ host: '10.0.0.1', reason: 'x' }] }),
    refuses(400, undefined, '/manifest/egress/0/host')
  )
  t.match((await manifest({ id: 'X', name: '' })).body.error.message, /\/id .*\/name /s, 'all of it at once')
  t.match(await manifest({ icon: 'icon.png' }), refuses(400, undefined, '/manifest/icon'))
  const [fn] = app.manifest.functions
  const broken = { ...fn, input: { type: 'object', properties: 7 } }
  t.match(await manifest({ functions: [broken] }), refuses(400, undefined, '/manifest/functions/0/input'))
  const nested = (levels: number) => `"manifest":{"deep":${'['.repeat(levels)}${']'.repeat(levels)},`
  for (const [levels, param] of [
    [70, '/manifest'],
    [200_000, '']
  ] as const) {
    const body = JSON.stringify(app).replace('"manifest":{', nested(levels))
    const headers = { 'content-type': 'application/json' }
    t.match(await ada.request('PUT', path, { body, headers }), { status: 400, body: { error: { param } } })
  }
  t.match(await files({ '../up.js': { text: '' } }), refuses(400, undefined, '/files/..~1up.js'))
  t.match(await files({ 'SERVER.js': { text: '' } }), refuses(400, undefined, '/files/SERVER.js'))
  t.match(await files({ 'a/': { text: '' } }), refuses(400, undefined, '/files/a~1'))
  t.match(await files({ a: { text: '', base64: '' } }), refuses(400, undefined, '/files/a'))
  t.match(await files({ a: { base64: 'a b' } }), refuses(400, undefined, '/files/a/base64'))
  t.match(await files({ a: { unheard: 1 } }), refuses(400))
  t.match(await put({ unheard: 1 }), refuses(400, undefined, '/unheard'))
  t.match(await files({ 'big.bin': { text: 'x'.repeat(8_388_608) } }), refuses(400, undefined, '/files'))
  t.match(await ada.get(`${path}?status=lost`), refuses(400, undefined, 'status'))
  t.match(await ada.get(`${path}?cursor=made-up`), refuses(400, undefined, 'cursor'))
  t.same((await ada.get(path)).body.data.length, 1, 'nothing came of it')
})

t.test('an owner has so many apps, and so many bytes', async (t) => {
  const bob = as('bob')
  for (const id of ['one-app', 'two-apps', 'three-apps', 'four-apps'])
    t.equal((await bob.put(path, appOf({ id }))).status, 201)
  t.match(await bob.put(path, appOf({ id: 'five-apps' })), refuses(507, 'quota_exceeded'))
  t.equal(
    (await bob.put(path, appOf({ id: 'one-app', version: '1.0.1' }))).status,
    200,
    'an update of one is none more'
  )
  const large = { 'data.bin': { text: 'x'.repeat(1_048_576) } }
  t.match(
    await bob.put(path, appOf({ id: 'one-app', version: '1.0.2' }, large)),
    refuses(507, 'quota_exceeded')
  )
  const held = platform.knex('storage.reference').select('sha256')
  t.same(
    await platform.knex('storage.object').whereNotIn('sha256', held),
    [],
    'what was refused left no bytes'
  )
  const { body } = await bob.get(`${path}?limit=3&status=draft`)
  t.equal(body.data.length, 3)
  const rest = await bob.get(`${path}?limit=3&status=draft&cursor=${body.nextCursor}`)
  t.same([rest.body.data.length, rest.body.nextCursor], [1, null])
  t.same((await bob.get(`${path}?status=enabled`)).body.data, [])
})

t.test('two that register the same at once make it once', async (t) => {
  const cid = as('cid')
  const replies = await Promise.all([1, 2, 3].map(() => cid.put(path, appOf({ id: 'at-once' }))))
  t.same(
    replies.map(({ status }) => Math.floor(status / 100)),
    [2, 2, 2]
  )
  t.equal(new Set(replies.map(({ body }) => body.data.id)).size, 1)
  t.equal((await cid.get(`${path}/at-once/versions`)).body.data.length, 1)
  await settled()
})

const service = () => platform.server.current().packs.get('ui-plugins')?.deps.installations as Installations
const principal = (id: string) =>
  ({ id, type: 'user', project: 'default', owner: id, scopes: new Set<string>() }) as never
