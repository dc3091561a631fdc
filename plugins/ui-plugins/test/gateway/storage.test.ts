import t from 'tap'
import { refuses, stage } from './testbed.ts'

const { booted, enable } = await stage(t, { packs: ['app-storage'] })
const { as, admin } = booted
const [ada, eve] = [as('ada'), as('eve')]
const storage = { keyValue: 'app' as const, collections: [{ name: 'orders', scope: 'user' as const }] }
const functions = {
  put: 'return context.storage.set({ key: "secret", value: input.value, scope: "app" })',
  look: 'return context.storage.get({ key: "secret", scope: "app" })',
  steal: `const tries = [{ key: "secret", scope: "app", appId: input.appId }, { key: "../" + input.appId + "/secret", scope: "app" }]
    const found = []
    for (const it of tries)
      found.push(await context.storage.get(it).then((it) => it && it.value, ({ code }) => code))
    return found`
}

t.test('an app keeps data, and nobody else’s app finds it', async (t) => {
  const one = await enable(ada, 'keeping', functions, { storage, audience: 'project' })
  const other = await enable(ada, 'stealing', functions, { storage })
  t.match(await one.call('put', { value: 7 }), { status: 200, body: { data: { version: 1 } } })
  t.match(
    (await one.ask('storage.get', { key: 'secret', scope: 'app' }, eve)).body.data,
    { value: 7 },
    'one for all'
  )
  t.equal((await other.call('look')).body.data, null)
  t.same((await other.call('steal', { appId: one.id })).body.data, ['invalid_request_error', null])

  const inserted = await one.ask('storage.insert', { collection: 'orders', document: { a: 1 } })
  t.match(inserted, { status: 200, body: { data: { a: 1 } } })
  t.match(
    (await one.ask('storage.find', { collection: 'orders' }, eve)).body.data.items,
    [],
    'each user has their own'
  )
  t.match(await one.ask('storage.get', { key: 7 }), refuses(400, undefined, '/params/key'))
  t.match(await one.ask('storage.drop', {}), refuses(404))
  t.match(await one.ask('storage.find', { collection: 'others' }), refuses(403, 'storage_not_declared'))
  const without = await enable(ada, 'without')
  t.match(await without.ask('storage.get', { key: 'a' }), refuses(403, 'storage_not_declared'))

  t.equal((await admin.put('/v1/packs/app-storage', { enabled: false })).status, 200)
  t.match(await one.ask('storage.get', { key: 'secret' }), refuses(503, 'capability_missing'))
  t.equal((await admin.put('/v1/packs/app-storage', { enabled: true })).status, 200)
  t.match((await one.call('look')).body.data, { value: 7 })
})
