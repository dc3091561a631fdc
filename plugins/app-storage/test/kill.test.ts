// budget: 14 s, because instances are killed, each a process of its own
// tier: whole
import t from 'tap'
import { start } from '../../../test/packs/processes.ts'
import { until } from '../../../test/packs/stage.ts'
import type { Doc } from './matching-fixture.ts'
import { mongodbFixture } from './mongodb-fixture.ts'
import { declared, env, register, stage } from './testbed.ts'

const mongodb = await mongodbFixture(t)
const booted = await stage(t)
const { connection, as } = booted
const ada = as('ada')
const app = await register(booted, ada)
const COUNT = 700
for (let at = 0; at < COUNT; at += 2)
  await Promise.all([
    app.as('ada')('storage.set', { key: `key-${at}`, value: { at } }),
    app.as('bob')('storage.insert', { collection: 'places', document: { at: at + 1 } })
  ])
const path = app.path
const authorization = `Bearer ${await ada.key()}`
// From here on the platform lives in processes that are killed.
await booted.close()

const names = ['access', 'agents', 'jobs', 'outgoing', 'storage', 'files', 'ui-plugins', 'app-storage']
const packs = Object.fromEntries(
  names.map((name) => [
    name,
    { enabled: true, ...(name === 'jobs' && { settings: { lostAfterSeconds: 3, pollSeconds: 0.1 } }) }
  ])
)
const run = async () => {
  const running = await start(t, 'test/packs/child.ts', {
    ...env,
    LOG_LEVEL: 'silent',
    STAGE_CONNECTION: JSON.stringify(connection),
    STAGE_DEPLOYMENT: JSON.stringify({
      folders: ['plugins'].map((it) => `${process.cwd()}/${it}`),
      enabled: false,
      packs
    })
  })
  await running.ready
  return running
}
const call = async (url: string, body?: object) => {
  const reply = await fetch(`${url}${path}`, {
    method: body ? 'PUT' : 'GET',
    headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) })
  })
  return (await reply.json()) as Doc
}

const items = () => mongodb.documents('app_storage_item').filter(({ appId }) => appId === app.id)
const isState =
  (state: string) =>
  (command: string, { update, updates }: Doc) =>
    command === 'update' && update === 'app_storage_usage' && updates[0].u.$set?.state === state
const isCopy = (command: string, { update, updates }: Doc) =>
  command === 'update' && update === 'app_storage_item' && updates.length > 10

/** Where it is killed: as that command comes, which is done or is not. */
const deaths: [name: string, to: string, at: (command: string, body: Doc) => boolean, isDone: boolean][] = [
  ['in the middle of copying', 'mongodb', isCopy, true],
  ['when the new store is about to be the one', 'mongodb', isState('live'), false],
  ['while the old store takes no writes', 'platform', isState('frozen'), true],
  ['when the old store has handed over', 'platform', isState('moved'), true]
]
let running = await run()
let provider = 'platform'
for (const [name, to, at, isDone] of deaths)
  t.test(`kill -9 ${name}`, async (t) => {
    if (provider === to) {
      // Back to where the next death has something to move from.
      await call(
        running.url,
        to === 'mongodb'
          ? { provider: 'platform' }
          : { provider: 'mongodb', connection: { url: mongodb.url } }
      )
      await until(
        () => call(running.url),
        ({ data }) => data.status === 'ready' && data.provider !== to
      )
    }
    const died = Promise.withResolvers<void>()
    mongodb.play((command, body) => {
      if (!at(command, body)) return undefined
      mongodb.play(() => undefined)
      running.kill().then(died.resolve, died.reject)
      return isDone ? undefined : 'cut'
    })
    const body = to === 'mongodb' ? { provider: to, connection: { url: mongodb.url } } : { provider: to }
    // It dies with its answer under way, or soon after; what is refused is no death.
    const refused = await call(running.url, body).then(
      ({ error }) => error,
      () => undefined
    )
    t.equal(refused, undefined)
    if (refused) return
    await died.promise
    running = await run()
    const { data } = await until(
      () => call(running.url),
      ({ data }) => data.status !== 'moving'
    )
    t.match(data, { provider: to, status: 'ready', failure: null, used: { rows: COUNT } })
    provider = to
    if (to === 'mongodb') {
      t.equal(items().length, COUNT)
      const numbers = items().map(({ collection, value }) =>
        collection === '' ? JSON.parse(value).at : value.at
      )
      t.same(
        numbers.sort((a, b) => a - b),
        Array.from({ length: COUNT }, (_, at) => at)
      )
    }
  })

t.test('and all of it is there', async (t) => {
  await running.kill()
  const after = await stage(t, { beside: booted })
  t.ok(declared.keyValue)
  const { knex } = after.platform
  const rows = await knex('app_storage.item').where({ appId: app.id }).select('value')
  t.same(
    rows.map(({ value }) => value.at).sort((a, b) => a - b),
    Array.from({ length: COUNT }, (_, at) => at)
  )
})
