import t from 'tap'
import { behaves } from './behaviour-testbed.ts'
import { mongodbFixture } from './mongodb-fixture.ts'
import { outside, stage } from './testbed.ts'

const booted = await stage(t)
const { TEST_MONGODB_URL: real } = process.env
const server = await mongodbFixture(t)

await behaves(t, outside(booted, 'mongodb', real ?? server.url))

t.test(
  'what a process took along when it died is counted anew where there seems to be no room',
  async (t) => {
    const app = await outside(booted, 'mongodb', server.url)({ keyValue: true, quotaBytes: 1_024 })
    const ask = app.as('ada')
    const value = 'x'.repeat(600)
    server.play((command, { insert }) =>
      command === 'insert' && insert === 'app_storage_item' ? 'cut' : undefined
    )
    await t.rejects(ask('storage.set', { key: 'one', value }), { kind: 'upstream', code: 'unreachable' })
    server.play(() => undefined)
    const usage = () => server.documents('app_storage_usage').find(({ appId }) => appId === app.id) ?? {}
    t.match(usage(), { bytes: 605, rows: 1 }, 'nobody knows whether it was written')
    const full = { kind: 'insufficientStorage', code: 'quota_exceeded' }
    await t.rejects(ask('storage.set', { key: 'two', value }), full, 'it may still be on its way')
    usage().beganAt = new Date(Date.now() - 3_600_000)
    t.match(await ask('storage.set', { key: 'two', value }), { version: 1 })
    t.match(usage(), { bytes: 605, rows: 1 })
    await t.rejects(ask('storage.set', { key: 'one', value }), full)
  }
)
