import t from 'tap'
import { boot } from '../../../test/boot.ts'
import type { Client } from '../../../test/client.ts'
import { appOf } from './testbed.ts'

const { as, anyone, admin } = await boot(t, 'ui-plugins')
const [ada, eve] = [as('ada'), as('eve')]
const path = '/v1/ui-plugins'
const layout = (scope = 'all', more = '') => `${path}/layout?scope=${scope}${more}`
const pin = (by: Client, scope: string, pins: unknown, more = '', headers = {}) =>
  by.put(layout(scope, more), { pins }, headers)
const seen = async (by: Client, scope = 'all', more = '') => (await by.get(layout(scope, more))).body.data
const refuses = (status: number, code?: string, param?: string) => ({
  status,
  body: { error: { ...(code && { code }), ...(param && { param }) } }
})
const project = '&audience=project'

t.before(async () => {
  for (const id of ['one-app', 'two-apps', 'own-app']) await ada.put(path, appOf({ id }))
  for (const id of ['one-app', 'two-apps'])
    await admin.put(`${path}/${id}/status`, { status: 'enabled', audience: 'project' })
  await ada.put(`${path}/own-app/status`, { status: 'enabled' })
})

t.test('what a user pins for a page comes before what counts for all of them', async (t) => {
  t.same(await seen(ada), { scope: 'all', pins: [], from: null, version: 0 })
  t.match(await pin(ada, 'all', ['one-app', 'own-app']), {
    status: 200,
    body: {
      data: {
        scope: 'all',
        pins: ['one-app', 'own-app'],
        from: { audience: 'user', scope: 'all' },
        version: 1
      }
    }
  })
  t.match(await seen(ada, 'page:home'), { pins: ['one-app', 'own-app'], from: { scope: 'all' }, version: 0 })
  const home = await pin(ada, 'page:home', ['two-apps'], '', { 'if-match': '"0"' })
  t.match(home.body.data, { pins: ['two-apps'], from: { scope: 'page:home' }, version: 1 })
  t.equal(home.headers.get('etag'), '"1"')
  t.equal((await pin(ada, 'page:home', ['two-apps'])).body.data.version, 1, 'the same again is no edit')
  t.match(await seen(ada, 'page:chat'), { pins: ['one-app', 'own-app'] }, 'other pages have their own')
  t.match(await pin(ada, 'page:home', ['one-app'], '', { 'if-match': '"7"' }), refuses(412))
  t.match(
    await pin(ada, 'page:home', []),
    { body: { data: { pins: [], from: { scope: 'page:home' } } } },
    'none, too'
  )
  t.same((await seen(eve)).pins, [], 'each user has their own')

  t.match(await ada.delete(layout('page:home'), { 'if-match': '"1"' }), refuses(412))
  t.match((await ada.delete(layout('page:home'))).body.data, {
    pins: ['one-app', 'own-app'],
    from: { scope: 'all' }
  })
  t.match(await ada.delete(layout('page:home')), { status: 200 }, 'nothing to do')
})

t.test('a maintainer pins for everybody who has none of their own', async (t) => {
  t.match(await pin(ada, 'all', ['one-app'], project), refuses(403, 'maintainer_required', 'audience'))
  t.match(await ada.delete(layout('all', project)), refuses(403, 'maintainer_required'))
  t.equal((await pin(admin, 'all', ['two-apps', 'own-app'], project)).status, 200)
  t.match(await seen(eve, 'page:home'), { pins: ['two-apps'], from: { audience: 'project', scope: 'all' } })
  t.match(await seen(ada), { pins: ['one-app', 'own-app'], from: { audience: 'user' } })
  t.match(await seen(ada, 'all', project), { pins: ['two-apps', 'own-app'], from: { audience: 'project' } })
  await pin(admin, 'page:home', ['one-app'], project)
  t.match(await seen(eve, 'page:home'), { pins: ['one-app'] })
  await admin.delete(layout('page:home', project))
  t.match(await seen(eve, 'page:home'), { pins: ['two-apps'] })
})

t.test('an app that one may no longer use is not shown', async (t) => {
  await admin.put(`${path}/two-apps/status`, { status: 'off' })
  t.same((await seen(eve)).pins, [])
  await admin.put(`${path}/two-apps/status`, { status: 'enabled', audience: 'project' })
  t.same((await seen(eve)).pins, ['two-apps'])
})

t.test('what is wrong is told', async (t) => {
  t.match(await pin(eve, 'all', ['two-apps', 'own-app']), refuses(403, 'not_owner', '/pins/1'))
  t.match(await pin(eve, 'all', ['unheard-of']), refuses(404, undefined, '/pins/0'))
  t.match(
    await pin(as('zoe', { project: 'elsewhere' }), 'all', ['one-app']),
    refuses(404, undefined, '/pins/0')
  )
  t.match(await pin(eve, 'all', ['one-app', 'one-app']), refuses(400, undefined, '/pins'))
  t.match(await pin(eve, 'all', ['No Id']), refuses(400, undefined, '/pins/0'))
  t.match(await eve.put(layout(), { pins: [], unheard: 1 }), refuses(400, undefined, '/unheard'))
  for (const scope of ['everywhere', 'page:', 'page:../x', 'page:A'])
    t.match(await eve.get(layout(encodeURIComponent(scope))), refuses(400, undefined, 'scope'), scope)
  const itself = as((await eve.agent()).id, { type: 'agent' })
  for (const [by, status] of [
    [anyone, 401],
    [itself, 403]
  ] as const) {
    t.match(await by.get(layout()), refuses(status))
    t.match(await pin(by, 'all', []), refuses(status))
    t.match(await by.delete(layout()), refuses(status))
  }
})
