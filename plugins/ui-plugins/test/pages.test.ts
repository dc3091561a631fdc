import t from 'tap'
import { boot } from '../../../test/boot.ts'
import type { Installations } from '../services/installations.ts'
import { appOf } from './testbed.ts'

const { as, anyone, admin, platform, settled } = await boot(t, 'ui-plugins')
const [ada, eve] = [as('ada'), as('eve')]
const path = '/v1/ui-plugins'
const at = `${path}/weather-desk`
const main = `${at}/pages/main`
const refuses = (status: number, code?: string, param?: string) => ({
  status,
  body: { error: { ...(code && { code }), ...(param && { param }) } }
})

t.before(() => ada.put(path, appOf()))

t.test('a page is shown in a frame that reaches nothing', async (t) => {
  t.match(await ada.get(main), refuses(409, 'app_not_enabled'))
  await ada.put(`${at}/status`, { status: 'enabled' })
  const { status, headers, text } = await ada.get(main)
  t.equal(status, 200)
  t.equal(headers.get('content-type'), 'text/html; charset=utf-8')
  const policy = headers.get('content-security-policy') ?? ''
  for (const part of [
    "default-src 'none'",
    "connect-src 'none'",
    "form-action 'none'",
    'sandbox allow-scripts allow-forms;'
  ])
    t.match(policy, part)
  t.notMatch(policy, /allow-same-origin|unsafe-eval|https?:|\*/)
  t.equal(headers.get('x-content-type-options'), 'nosniff')
  t.match(
    text,
    /^<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'/
  )
  t.ok(
    text.endsWith('<!doctype html><title>Weather</title><p>Sunny'),
    'and the document as it was registered'
  )
  const etag = headers.get('etag') ?? ''
  t.match(await ada.get(main, { 'if-none-match': etag }), { status: 304, text: '' })
  t.equal((await ada.get(at)).body.data.pages[0].uri, 'ui://weather-desk/main')
})

t.test('those who change the app see what they registered', async (t) => {
  const next = appOf({ version: '1.1.0' }, { 'pages/main.html': { text: '<p>Rain' } })
  await ada.put(path, next)
  t.match((await ada.get(main)).text, /Sunny$/)
  t.match((await ada.get(`${main}?version=1.1.0`)).text, /Rain$/)
  t.match(await ada.get(`${main}?version=9.9.9`), refuses(404, undefined, 'version'))
  t.match(await ada.get(`${at}/pages/other`), refuses(404))
  t.match(await ada.get(`${at}/pages/server.js`), refuses(404), 'a page, and no other file')
  t.match(await ada.get(`${path}/unheard-of/pages/main`), refuses(404))
  t.match(await ada.get(`${main}?unheard=1`), refuses(400, undefined, 'unheard'))
})

t.test('nobody sees the pages of an app that is not for them', async (t) => {
  t.match(await eve.get(main), refuses(403, 'not_owner'))
  t.match(await anyone.get(main), refuses(401))
  t.match(await admin.get(main), refuses(409, 'app_not_enabled'), 'it runs in nobody else’s name')
  await admin.put(`${at}/status`, { status: 'enabled', audience: 'project' })
  t.equal((await eve.get(main)).status, 200)
  t.match(await eve.get(`${main}?version=1.0.0`), refuses(403, 'not_owner'))
})

t.test('an app goes with all that was kept for it', async (t) => {
  await ada.put(`${path}/layout?scope=all`, { pins: ['weather-desk'] })
  t.match(await eve.delete(at), refuses(403, 'not_owner'))
  t.match(await anyone.delete(at), refuses(401))
  t.match(await ada.delete(`${path}/unheard-of`), refuses(404))
  t.match(await ada.delete(at, { 'if-match': '"1"' }), refuses(412))
  const { id } = (await ada.get(at)).body.data
  const installations = platform.server.current().packs.get('ui-plugins')?.deps.installations as Installations
  const by = { id: 'ada', project: 'default', owner: 'ada', type: 'user' } as never
  t.match(await installations.of(by, 'weather-desk'), { id })
  t.match(await ada.delete(at), { status: 200, body: { data: { id, deleted: true } } })
  await t.rejects(installations.of(by, 'weather-desk'), { message: 'App not found' })
  for (const url of [at, main, `${at}/versions`]) t.match(await ada.get(url), refuses(404))
  t.same(await platform.knex('ui_plugins.app_version'), [])
  t.same(await platform.knex('storage.reference').where('holder', 'like', 'ui-plugins/%'), [])
  t.same((await platform.knex('ui_plugins.layout').first('pins')).pins, [])

  const again = await eve.put(path, appOf())
  t.equal(again.status, 201, 'its id is free again')
  t.not(again.body.data.id, id)
  t.match(await admin.delete(at), { status: 200 }, 'a maintainer may, too')
  await settled()
})
