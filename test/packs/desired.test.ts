// tier: whole
// servers: PostgreSQL and Redis
import t from 'tap'
import { lantern, stage, statusOf, until, workshop } from './stage.ts'

const instancesOf = async (admin: Parameters<typeof statusOf>[0], pack: string) =>
  (await statusOf(admin, pack)).instances as { instance: number; status: string; digest: string }[]

t.test('what one instance changes the others follow', async (t) => {
  const first = await stage(t, ['letters'])
  const second = await stage(t, ['letters'], { beside: first })
  t.match(await second.as('ada').get('/v1/tally'), { status: 404 })
  t.match(await first.admin.put('/v1/packs/tally', { enabled: true, settings: { refuse: 'bad' } }), {
    status: 200
  })
  t.match(await first.as('ada').get('/v1/tally'), { status: 200 }, 'applied before the reply')
  await until(
    () => second.as('ada').get('/v1/tally'),
    ({ status }) => status === 200
  )
  t.match((await statusOf(second.admin, 'tally')).settings.refuse, { value: 'bad', from: 'table' })
  const instances = await until(
    () => instancesOf(first.admin, 'tally'),
    (all) => all.every(({ status }) => status === 'running')
  )
  const { digest, desiredDigest } = await statusOf(first.admin, 'tally')
  t.equal(instances.length, 2)
  t.equal(new Set(instances.map(({ instance }) => instance)).size, 2)
  t.same(new Set([digest, desiredDigest, ...instances.map(({ digest }) => digest)]).size, 1, 'one version')

  await second.admin.put('/v1/packs/tally', { enabled: false })
  await until(
    () => first.as('ada').get('/v1/tally'),
    ({ status }) => status === 404
  )
  await until(
    () => instancesOf(second.admin, 'tally'),
    (all) => all.every(({ status }) => status === 'off')
  )
  await second.close()
  t.equal((await instancesOf(first.admin, 'tally')).length, 1, 'an instance that left has nothing to say')
})

t.test('an instance without the code keeps what it has and waits for it', async (t) => {
  const here = await workshop(t)
  const there = await workshop(t)
  for (const { write } of [here, there]) await write('lantern', { 'pack.ts': lantern('first') })
  const first = await stage(t, ['lantern'], { folders: [here.folder] })
  const second = await stage(t, ['lantern'], { folders: [there.folder], beside: first })
  const { digest: old } = await statusOf(second.admin, 'lantern')

  await here.write('lantern', { 'pack.ts': lantern('second') })
  t.match(await first.admin.post('/v1/packs/lantern/reload'), { status: 200 })
  const { digest } = await statusOf(first.admin, 'lantern')
  const waiting = await until(
    () => statusOf(second.admin, 'lantern'),
    ({ status }) => status !== 'running'
  )
  t.match(waiting, {
    status: 'waiting for code',
    digest: old,
    desiredDigest: digest,
    reason: new RegExp(digest)
  })
  t.match(await second.as('ada').get('/v1/lantern'), { body: { data: 'first' } }, 'it serves what it has')
  t.match(await first.as('ada').get('/v1/lantern'), { body: { data: 'second' } })
  t.same((await instancesOf(first.admin, 'lantern')).map(({ digest }) => digest).sort(), [old, digest].sort())

  await there.write('lantern', { 'pack.ts': lantern('second') })
  await until(
    () => statusOf(second.admin, 'lantern'),
    ({ status }) => status === 'running'
  )
  t.match(await second.as('ada').get('/v1/lantern'), { body: { data: 'second' } })
})

t.test('a change that is refused here is not written, and so happens nowhere', async (t) => {
  const here = await workshop(t)
  const there = await workshop(t)
  await here.write('lantern', { 'pack.ts': lantern('bad', 'start: async () => { throw new Error("dark") }') })
  await there.write('lantern', { 'pack.ts': lantern('good') })
  const first = await stage(t, [], { folders: [here.folder] })
  const second = await stage(t, [], { folders: [there.folder], beside: first })
  t.match(await first.admin.put('/v1/packs/lantern', { enabled: true }), { status: 409 })
  t.same(await first.platform.knex('kernel.pack').where({ name: 'lantern' }), [])
  t.match(await second.as('ada').get('/v1/lantern'), { status: 404 })

  t.match(await second.admin.put('/v1/packs/lantern', { enabled: true }), { status: 200 })
  const failed = await until(
    () => statusOf(first.admin, 'lantern'),
    ({ status, enabled }) => status === 'failed' && enabled.value
  )
  t.match(failed.reason, /dark/, 'the other one follows as far as it can')
  t.match(await first.as('ada').get('/v1/lantern'), { status: 404 })
  t.match(await second.as('ada').get('/v1/lantern'), { body: { data: 'good' } })
  t.same((await instancesOf(second.admin, 'lantern')).map(({ status }) => status).sort(), [
    'failed',
    'running'
  ])
})

t.test('an older instance that meets a newer schema serves, and does not take it back', async (t) => {
  const here = await workshop(t)
  const there = await workshop(t)
  const migration = (table: string) => `
    export const up = (knex) => knex.raw('create table lantern.${table} (id text)')
    export const down = (knex) => knex.raw('drop table lantern.${table}')`
  const old = { 'pack.ts': lantern('old'), 'migrations/0001-create-wick.ts': migration('wick') }
  await there.write('lantern', old)
  await here.write('lantern', {
    ...old,
    'pack.ts': lantern('new'),
    'migrations/0002-create-oil.ts': migration('oil')
  })
  const newer = await stage(t, ['lantern'], { folders: [here.folder] })
  const older = await stage(t, ['lantern'], { folders: [there.folder], beside: newer })
  t.match(await older.as('ada').get('/v1/lantern'), { body: { data: 'old' } })
  t.match(await statusOf(older.admin, 'lantern'), { status: 'waiting for code' })
  t.equal(
    (await statusOf(newer.admin, 'lantern')).desiredDigest,
    (await statusOf(newer.admin, 'lantern')).digest,
    'the newer one stays desired'
  )
  t.same(await newer.platform.knex('lantern.oil'), [])
  t.match(await newer.as('ada').get('/v1/lantern'), { body: { data: 'new' } })
})

t.test('two instances that change packs at once do so one after the other', async (t) => {
  const first = await stage(t, ['letters'])
  const second = await stage(t, ['letters'], { beside: first })
  const changes = ['tally', 'stamp', 'seal', 'mirror'].flatMap((pack, index) =>
    [first, second].map(({ admin }) =>
      (index % 2 ? admin : first.admin).put(`/v1/packs/${pack}`, { enabled: true })
    )
  )
  for (const { status } of await Promise.all(changes)) t.equal(status, 200)
  const everywhere = ['access', 'letters', 'mirror', 'packs', 'seal', 'stamp', 'tally']
  for (const { anyone } of [first, second])
    t.same(
      (
        await until(
          async () => (await anyone.get('/health')).body.data.packs,
          ({ up }) => up.length === 7
        )
      ).up,
      everywhere
    )
})
