import t from 'tap'
import { boot } from '../../../test/boot.ts'
import type { Connections } from '../connections/connections.ts'
import type { Installations } from '../services/installations.ts'
import { appOf } from './testbed.ts'

const { as, platform } = await boot(t, 'ui-plugins')
const ada = as('ada')
const path = '/v1/ui-plugins/weather-desk'
const [KEY, OTHER] = ['sk-first-1a2b3c', 'sk-second-4d5e6f']
const egress = ['api', 'new'].map((name) => ({ host: `${name}.weather.example`, reason: 'Forecasts' }))
const connection = (key: string, host: string, type = 'bearer') =>
  ({
    key,
    name: key,
    hosts: [`${host}.weather.example`],
    auth: { type, ...(type === 'query' && { name: 'k' }) }
  }) as never
const register = async (version: string, connections: never[], more: object = {}) =>
  (await ada.put('/v1/ui-plugins', { ...appOf({ version, egress, connections }), ...more })).body.data
const save = (key: string, value: string) => ada.put(`${path}/connections/${key}`, { value })
const enable = (version?: string) => {
  const grants = { capabilities: [], hosts: egress.map(({ host }) => host) }
  return ada.put(`${path}/status`, { status: 'enabled', grants, ...(version && { version }) })
}
const listed = async () => (await ada.get(`${path}/connections`)).body.data
type Deps = { installations: Installations; connections: Connections }
const deps = () => platform.server.current().packs.get('ui-plugins')?.deps as unknown as Deps
const open = async (key: string, host: string) => {
  const { installations, connections } = deps()
  const by = { id: 'ada', project: 'default', owner: 'ada', type: 'user', scopes: new Set() } as never
  const app = await installations.of(by, 'weather-desk')
  return connections.open(app, key, `${host}.weather.example:443`)
}
const saved = async () =>
  (await platform.knex('ui_plugins.connection').select('key')).map(({ key }) => key).sort()

t.test('a key is saved ahead of the version that declares it', async (t) => {
  await register('1.0.0', [connection('forecasts', 'api')])
  t.match(await listed(), [{ key: 'forecasts', status: 'missing', declaredBy: ['draft'], changed: null }])
  t.match(await save('forecasts', KEY), { status: 200, body: { data: { status: 'set' } } })
  t.equal((await enable()).status, 200)
  t.match(await open('forecasts', 'api'), { value: KEY }, 'it is there from the first moment')
  t.match(await listed(), [{ key: 'forecasts', declaredBy: ['enabled', 'draft'] }])

  await register('2.0.0', [connection('maps', 'new')])
  t.match(await listed(), [
    { key: 'forecasts', status: 'set', declaredBy: ['enabled'] },
    { key: 'maps', status: 'missing', declaredBy: ['draft'] }
  ])
  t.match(await save('maps', OTHER), { status: 200, body: { data: { key: 'maps', declaredBy: ['draft'] } } })
  t.match(await save('unheard', KEY), { status: 404 })
  await t.rejects(
    open('maps', 'new'),
    { message: 'Connection not found' },
    'for the draft, and not for this one'
  )
  t.match(await open('forecasts', 'api'), { value: KEY })
})

t.test('a key that no version declares any more goes', async (t) => {
  t.same(await saved(), ['forecasts', 'maps'])
  t.equal((await enable()).status, 200)
  t.same(await saved(), ['maps'])
  t.match(await open('maps', 'new'), { value: OTHER })
  t.match(await save('forecasts', KEY), { status: 404 })
  const facts = await platform
    .knex('kernel.fact')
    .where({ name: 'ui-plugins.connection_changed' })
    .orderBy('id')
  t.match(facts.at(-1), { data: { pluginId: 'weather-desk', key: 'forecasts', status: 'missing' } })
  t.notMatch(JSON.stringify(facts), new RegExp(`${KEY}|${OTHER}|v1\\.`), 'without the key')

  await register('2.1.0', [connection('maps', 'new'), connection('passing', 'api')])
  t.equal((await save('passing', KEY)).status, 200)
  await register('2.2.0', [connection('maps', 'new')])
  t.same(await saved(), ['maps'], 'also where it was only a draft’s')
})

t.test('a key goes nowhere else before a person agrees', async (t) => {
  const app = await register('3.0.0', [connection('maps', 'api', 'query')], { activate: true })
  t.match(app, { enabled: { version: '2.0.0' }, draft: { version: '3.0.0' } }, 'it waits')
  const asked = app.consent.filter(({ kind }: { kind: string }) => kind === 'connection')
  t.match(asked, [{ name: 'maps', isNew: true }])
  const changed = { hosts: ['api.weather.example'], sentAs: 'query' }
  const now = { hosts: ['new.weather.example'], sentAs: 'bearer' }
  t.match(await listed(), [{ key: 'maps', ...now, declaredBy: ['enabled', 'draft'], changed }])
  t.equal((await save('maps', KEY)).status, 200)
  await t.rejects(open('maps', 'api'), { code: 'host_not_allowed' })
  t.match(await open('maps', 'new'), { value: KEY, auth: { type: 'bearer' } })
  t.equal((await enable()).status, 200)
  await t.rejects(open('maps', 'new'), { code: 'host_not_allowed' })
  t.match(await open('maps', 'api'), { value: KEY, auth: { type: 'query' } })
})

t.test('a list of a hundred apps takes no more statements than one of one', async (t) => {
  const count = async (at: string) => {
    let statements = 0
    const hear = () => void statements++
    platform.knex.on('query', hear)
    const { body } = await ada.get(at)
    platform.knex.off('query', hear)
    return { apps: body.data.length, statements }
  }
  await count('/v1/ui-plugins?limit=1')
  const one = await count('/v1/ui-plugins?limit=1')
  await platform.knex.raw(`
    with drafts as (
      insert into ui_plugins.app_version (project, id, owner, "appId", semver, digest, size, manifest, files, icon)
      select project, id || '-' || n, owner, 'app_copy-' || n, semver, digest, size, manifest, files, icon
      from generate_series(1, 99) n, (select * from ui_plugins.app_version order by id desc limit 1) v
      returning project, id, owner, "appId"
    )
    insert into ui_plugins.app (project, id, owner, "pluginId", status, audience, grants, "enabledId", "draftId")
    select project, "appId", owner, "appId", 'enabled', 'owner', '{"capabilities":[],"hosts":[]}', id, id from drafts`)
  const all = await count('/v1/ui-plugins?limit=100')
  t.same(all, { apps: 100, statements: one.statements })
})
