// tier: whole
// servers: PostgreSQL and Redis
import t from 'tap'
import { hear, lantern, lastChange, stage, statusOf, until, workshop } from './stage.ts'

const held = `import { channel } from 'node:diagnostics_channel'
  function more(app) {
    app.get('/lantern/slow', async () => {
      await new Promise((go) => channel('lantern.held').publish({ go }))
      return { data: 'slow' }
    })
  }`

t.test('each change leaves a record, which is completed when the version before it has ended', async (t) => {
  const slow = hear<{ go(): void }>(t, 'lantern.held')
  const { folder, write } = await workshop(t)
  await write('lantern', { 'pack.ts': lantern('first', '', held) })
  const { admin, as, platform } = await stage(t, ['lantern'], { folders: [folder] })
  const installed = await lastChange(admin, 'lantern')
  const { digest: first } = await statusOf(admin, 'lantern')
  t.match(installed, {
    actor: 'platform',
    action: 'installed',
    outcome: 'applied',
    fromDigest: null,
    toDigest: first
  })
  for (let n = 0; n < 20; n++) await as('ada').get('/v1/lantern')
  const under = as('ada').get('/v1/lantern/slow')
  const { go } = await slow.next()
  await write('lantern', {
    'pack.ts': lantern('second', '', held),
    'migrations/0001-create-wick.ts': `
      export const up = (knex) => knex.raw('create table lantern.wick (id text)')
      export const down = (knex) => knex.raw('drop table lantern.wick')`
  })
  t.match(await admin.post('/v1/packs/lantern/reload'), { status: 200 })
  const { digest: second } = await statusOf(admin, 'lantern')
  const record = await lastChange(admin, 'lantern')
  t.match(record, {
    actor: admin.id,
    instance: platform.presence.id(),
    action: 'reloaded',
    outcome: 'applied',
    reason: null,
    fromDigest: first,
    toDigest: second,
    migrations: ['0001-create-wick'],
    drained: null,
    dropped: null,
    after: null
  })
  t.ok((record.buildMs ?? 0) > 0)
  t.ok((record.before?.requests ?? 0) >= 20)
  t.ok((record.before?.p50 ?? -1) > 0)
  t.ok((record.before?.p99 ?? -1) >= (record.before?.p50 ?? 0))
  t.not(second, first)

  for (let n = 0; n < 5; n++) await as('ada').get('/v1/lantern')
  go()
  t.match(await under, { status: 200 })
  const completed = await until(
    () => lastChange(admin, 'lantern'),
    ({ drained }) => drained !== null
  )
  // The request that asked for the change was under way as well.
  t.match(completed, { id: record.id, drained: 2, dropped: 0 })
  t.ok((completed.after?.requests ?? 0) >= 5)
})

t.test('a change that was refused has a record too, with the reason', async (t) => {
  const { folder, write } = await workshop(t)
  await write('lantern', { 'pack.ts': lantern('first') })
  const { admin } = await stage(t, ['lantern'], { folders: [folder] })
  const { digest } = await statusOf(admin, 'lantern')
  await write('lantern', { 'pack.ts': lantern('second', `requires: ['oil']`) })
  await admin.post('/v1/packs/lantern/reload')
  t.match(await lastChange(admin, 'lantern'), {
    action: 'reloaded',
    outcome: 'refused',
    reason: 'requirements: requires oil, which is not there',
    fromDigest: digest,
    migrations: [],
    drained: null
  })
})

t.test('records come newest first, a page at a time, of one pack or of all', async (t) => {
  const { admin, as } = await stage(t, ['letters'])
  for (const pack of ['tally', 'stamp', 'seal']) await admin.put(`/v1/packs/${pack}`, { enabled: true })
  const changes = '/v1/packs/changes'
  const one = (await admin.get(`${changes}?limit=2`)).body
  t.same(
    one.data.map(({ pack }: { pack: string }) => pack),
    ['seal', 'stamp']
  )
  const two = (await admin.get(`${changes}?limit=1&cursor=${one.nextCursor}`)).body
  t.match(two.data, [{ pack: 'tally' }])
  t.match((await admin.get(`${changes}?pack=stamp`)).body, { data: [{ pack: 'stamp' }], nextCursor: null })
  t.match(await as('ada').get(changes), { status: 403 })
})
