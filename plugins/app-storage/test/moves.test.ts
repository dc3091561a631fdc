// budget: 9 s, because data moves between three stores, while it is written
// tier: whole
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { until } from '../../../test/packs/stage.ts'
import { mongodbFixture } from './mongodb-fixture.ts'
import type { App } from './testbed.ts'
import { depsOf, postgresqlServer, stage } from './testbed.ts'

const booted = await stage(t)
const { platform, as } = booted
const { knex } = platform
const ada = as('ada')
const postgresql = await postgresqlServer(t)
const mongodb = await mongodbFixture(t)
const urls: Record<string, string> = { postgresql: postgresql.url, mongodb: mongodb.url }

const choose = (app: App, provider: string) =>
  ada.put(app.path, { provider, ...(urls[provider] && { connection: { url: urls[provider] } }) })

/** What comes of the last of its tries, between which it waits ever longer. */
const lastTry = (app: App) =>
  until(
    async () => {
      await knex('app_storage.placement').where({ appId: app.id }).update({ tries: 4 })
      return (await ada.get(app.path)).body.data
    },
    ({ status }) => status !== 'moving'
  )

/** All that the app has, as its users see it. */
async function contents(app: App) {
  const found: Record<string, unknown> = {}
  for (const user of ['ada', 'bob']) {
    const ask = app.as(user)
    for (const scope of ['user', 'app'])
      for (let cursor: string | null = null; ; ) {
        const page = await ask('storage.list', { scope, limit: 100, ...(cursor && { cursor }) })
        for (const { key, ...item } of page.items) found[`${user}/${scope}/${key}`] = item
        cursor = page.nextCursor
        if (!cursor) break
      }
    for (const collection of ['places', 'notes'])
      for (let cursor: string | null = null; ; ) {
        const page = await ask('storage.find', { collection, limit: 100, ...(cursor && { cursor }) })
        for (const item of page.items) found[`${user}/${collection}/${item.id}`] = item
        cursor = page.nextCursor
        if (!cursor) break
      }
  }
  return found
}

async function fill(app: App, count: number) {
  const write = async (at: number) => {
    const ask = app.as(at % 2 ? 'ada' : 'bob')
    const value = { at, tags: ['x', { '€': null }] }
    if (at % 4 < 2) await ask('storage.set', { key: `key-${at}`, value, scope: at % 3 ? 'user' : 'app' })
    else await ask('storage.insert', { collection: at % 8 < 4 ? 'places' : 'notes', document: value })
  }
  for (let at = 0; at < count; at += 3) await Promise.all([write(at), write(at + 1), write(at + 2)])
}

t.test('data moves from store to store, as it was', async (t) => {
  const app = await booted.app()
  await fill(app, 300)
  const before = await contents(app)
  const { used } = (await ada.get(app.path)).body.data
  for (const provider of ['postgresql', 'mongodb', 'platform', 'mongodb', 'postgresql', 'platform']) {
    const reply = await choose(app, provider)
    t.match(reply, { status: 200, body: { data: { status: 'moving', target: { provider } } } })
    t.match(
      await app.settled(),
      { provider, status: 'ready', target: null, moved: 0, total: 0, used },
      provider
    )
    t.strictSame(await contents(app), before, `everything lies in ${provider}`)
    // What is left behind is removed when nobody reads there any more, and not while it is in use again.
    const left = await knex('app_storage.leftover').where({ appId: app.id })
    for (const { project, appId, token } of left)
      await depsOf(booted).leftovers.work({ project, appId, token }, new AbortController().signal)
  }
  const mine = { appId: app.id }
  t.same(await knex('app_storage.leftover').where(mine), [])
  t.same(
    mongodb.documents('app_storage_item').filter(({ appId }) => appId === app.id),
    []
  )
  t.same(await postgresql.knex('agent_platform_apps.item').where(mine), [])
})

t.test('what is written while it moves is not lost, and nothing is written in two places', async (t) => {
  const app = await booted.app()
  await fill(app, 300)
  const rest = Object.keys(await contents(app)).length
  const written = new Map<string, unknown>()
  let isOver = false
  let writes = 0
  const writer = async (name: string) => {
    const ask = app.as(name)
    for (let n = 0; !isOver || n < 40; ) {
      const key = `${name}-${n % 30}`
      const isGone = n % 5 === 4
      const done = await (isGone
        ? ask('storage.delete', { key, scope: 'app' })
        : ask('storage.set', { key, value: n, scope: 'app' })
      ).catch((error) => {
        t.match(error, { kind: 'unavailable', code: 'store_moving', headers: { 'retry-after': '1' } })
        return delay(20, undefined)
      })
      if (!done) continue
      n++
      writes++
      if (isGone) written.delete(key)
      else written.set(key, n - 1)
    }
  }
  for (const provider of ['mongodb', 'postgresql', 'platform']) {
    isOver = false
    const writers = ['w1', 'w2', 'w3'].map(writer)
    await choose(app, provider)
    t.match(await app.settled(), { provider, status: 'ready' })
    isOver = true
    await Promise.all(writers)
    const all = await contents(app)
    const shared = Object.entries(all).flatMap(([name, item]) => {
      const [, , key = ''] = name.split('/')
      return name.startsWith('ada/app/w') ? [[key, (item as { value: unknown }).value] as const] : []
    })
    t.same(new Map(shared), written, `${provider} has what was said to be written`)
    t.equal(Object.keys(all).length, rest + 2 * written.size, 'and all the rest, what is shared seen by both')
  }
  t.ok(writes >= 3 * 3 * 40)
})

t.test('a move that breaks off loses nothing, and goes on', async (t) => {
  const app = await booted.app()
  await fill(app, 450)
  const before = await contents(app)
  let cut = 0
  mongodb.play((command, { update, updates }) => {
    const isCopy = command === 'update' && update === 'app_storage_item' && updates.length > 10
    return isCopy && ++cut === 2 ? 'cut' : undefined
  })
  await choose(app, 'mongodb')
  const state = await app.settled()
  mongodb.play(() => undefined)
  t.ok(cut >= 2)
  t.match(state, { provider: 'mongodb', status: 'ready' })
  t.strictSame(await contents(app), before)
})

t.test('a move that does not come to its end says so, and is taken up again or called off', async (t) => {
  const app = await booted.app()
  await fill(app, 50)
  const before = await contents(app)
  mongodb.play((command, { update }) =>
    command === 'update' && update === 'app_storage_item' ? 'cut' : undefined
  )
  await choose(app, 'mongodb')
  const failed = await lastTry(app)
  t.match(failed, {
    provider: 'platform',
    status: 'failed',
    failure: 'unreachable',
    target: { provider: 'mongodb' }
  })
  t.strictSame(await contents(app), before)
  t.match(
    await app.as('ada')('storage.set', { key: 'meanwhile', value: 1 }),
    { version: 1 },
    'the app goes on'
  )
  t.match(await choose(app, 'postgresql'), { status: 409, body: { error: { code: 'store_moving' } } })
  t.match(await ada.put(app.path, { provider: 'platform' }), {
    status: 200,
    body: { data: { provider: 'platform', status: 'ready', target: null, failure: null } }
  })
  mongodb.play(() => undefined)
  await until(
    () => knex('app_storage.leftover').where({ appId: app.id }).first(),
    (row) => row === undefined
  )
  t.same(
    mongodb.documents('app_storage_usage').filter(({ appId }) => appId === app.id),
    [],
    'nothing is left there'
  )

  mongodb.play((command, { update }) =>
    command === 'update' && update === 'app_storage_item' ? 'cut' : undefined
  )
  await choose(app, 'mongodb')
  t.match(await lastTry(app), { status: 'failed' })
  mongodb.play(() => undefined)
  t.match(await ada.put(app.path, { provider: 'mongodb' }), {
    status: 200,
    body: { data: { status: 'moving' } }
  })
  t.match(await app.settled(), { provider: 'mongodb', status: 'ready' })
  t.match(await app.as('ada')('storage.get', { key: 'meanwhile' }), { value: 1 })
})

t.test('a store that is away is told of, and the data can be looked for later', async (t) => {
  const app = await booted.app()
  const ask = app.as('ada')
  await choose(app, 'postgresql')
  await app.settled()
  await ask('storage.set', { key: 'k', value: 1 })
  postgresql.way.cut()
  await t.rejects(ask('storage.get', { key: 'k' }), { kind: 'upstream', code: 'unreachable' })
  t.match(await ada.get(app.path), { status: 200, body: { data: { provider: 'postgresql', used: null } } })
  postgresql.way.mend()
  t.match(await ask('storage.get', { key: 'k' }), { value: 1 })
})

t.test('what an app kept goes with it, also in stores outside and in the middle of a move', async (t) => {
  const here = await booted.app()
  await fill(here, 30)
  const there = await booted.app()
  await fill(there, 30)
  await choose(there, 'postgresql')
  t.match(await there.settled(), { provider: 'postgresql' })
  const moving = await booted.app()
  await fill(moving, 30)
  mongodb.play((command, { update }) =>
    command === 'update' && update === 'app_storage_item' ? 'cut' : undefined
  )
  await choose(moving, 'mongodb')
  t.match(await lastTry(moving), { status: 'failed' })
  mongodb.play(() => undefined)

  const apps = [here, there, moving].map(({ id }) => id)
  for (const { path } of [here, there, moving])
    t.match(await ada.delete(path.replace(/\/storage$/, '')), { status: 200 })
  await booted.settled()
  await until(
    () => knex('app_storage.leftover').whereIn('appId', apps).where({ whole: true }),
    (rows) => rows.length === 0
  )
  for (const table of ['item', 'usage', 'placement'])
    t.same(await knex(`app_storage.${table}`).whereIn('appId', apps), [], table)
  for (const table of ['item', 'usage'])
    t.same(await postgresql.knex(`agent_platform_apps.${table}`).whereIn('appId', apps), [], table)
  for (const name of ['app_storage_item', 'app_storage_usage'])
    t.same(
      mongodb.documents(name).filter(({ appId }) => apps.includes(appId)),
      [],
      name
    )
})
