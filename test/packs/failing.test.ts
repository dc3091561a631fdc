import { readdir } from 'node:fs/promises'
import t from 'tap'
import { packText } from '../pack-folders.ts'
import { broken, fixtures, hear, lantern, lastChange, stage, statusOf, until, workshop } from './stage.ts'

/** Why each of the broken packs is refused, as the operator reads it. */
const reasons: Readonly<Record<string, RegExp>> = {
  'bad-contribution': /^contributions: nothing to contribute$/,
  'bad-export': /^services: nothing to export$/,
  'bad-listener': /^contributions: it does not listen$/,
  'bad-migration': /^migrations: 0001-create-half: relation "bad_migration\.missing" does not exist/,
  'bad-plugin': /^routes: a plugin that fails late$/,
  'bad-routes': /^routes: no routes today$/,
  'bad-schema': /^routes: .*POST: \/bad-schema/,
  'bad-service': /^services: a service that cannot be made$/,
  'bad-start': /^start: it did not start$/,
  'bad-step': /^contributions: no step forward$/,
  'bad-syntax': /^(pack\.ts:\d+: )?.*(Expression|Unexpected|expected)/,
  'cycle-a': /requires cycle-b, which is not there/,
  'endless-start': /^start: start took more than 10 s$/,
  lonely: /requires nobody, which is not there/,
  'needs-setting': /^setting address is required$/,
  'no-export': /^pack\.ts has no default export$/,
  'no-module': /Cannot find package 'a-package-that-nobody-has'/,
  'odd-manifest':
    /colour is not known here; area must not have fewer than 1 characters; routes must be a function; steps\/walk must be a function/,
  'one-way': /0001-create-thing\.ts exports no function down/,
  'other-name': /name is somebody-else, but the folder's name is other-name/,
  'route-of-another': /^routes: .*'GET'.*'\/v1\/auth\/me'/,
  'same-route-twice': /^routes: .*'GET'.*'\/v1\/same-route-twice'/,
  'same-socket-twice': /^routes: .*'\/v1\/same-socket-twice\/:'/,
  'service-cycle': /^services: .*[Cc]yclic/,
  'throws-at-import': /^pack\.ts:1: thrown while it was imported$/,
  'undreamt-scope': /^routes: GET \/v1\/undreamt-scope needs letters:burn, which is no scope$/,
  'unknown-dependency': /^services: .*nothingOfTheKind/
}

t.test('whatever fails refuses the change, with the reason, and what runs is untouched', async (t) => {
  const { admin, as, platform } = await stage(t, ['agents', 'letters'], { folders: [fixtures, broken] })
  const names = (await readdir(broken)).filter((name) => name !== 'cycle-b')
  t.same(names.sort(), Object.keys(reasons).sort(), 'each broken pack has its reason')
  const { generation } = platform.packs.readings()

  for (const [name, reason] of Object.entries(reasons)) {
    const reply = await admin.put(`/v1/packs/${name}`, { enabled: true })
    t.match(reply, { status: 409, body: { error: { type: 'conflict_error', code: 'pack_failed' } } }, name)
    t.match(reply.body.error?.message, reason, name)
    t.notMatch(reply.text, broken, 'no path of this machine')
    const shown = await statusOf(admin, name)
    t.match(shown, { status: 'failed', reason, enabled: { value: false } }, `${name} is shown`)
    t.match(await lastChange(admin, name), { pack: name, outcome: 'refused', reason, actor: admin.id })
    t.equal(platform.packs.readings().generation, generation, `${name}: the same generation`)
    t.match(await as('ada').post('/v1/letters', { text: name }), { status: 201 })
  }
  t.equal(platform.packs.readings().inFlight, 0, 'nothing of the refused generations is left running')
})

t.test('at start each of them is left out, and everything else is served', async (t) => {
  const names = Object.keys(reasons).filter((name) => name !== 'endless-start')
  const { admin, as, anyone } = await stage(t, ['letters', ...names, 'cycle-b'], {
    folders: [fixtures, broken]
  })
  t.match(await as('ada').post('/v1/letters', { text: 'still here' }), { status: 201 })
  const { packs } = (await anyone.get('/health')).body.data
  t.same(packs.failed, [...names, 'cycle-b'].sort(), 'both packs of a cycle')
  t.same(packs.up, ['access', 'letters', 'packs'])
  t.match(await statusOf(admin, 'cycle-a'), { reason: /lies on a cycle: cycle-a → cycle-b → cycle-a/ })
  for (const name of names.filter((name) => name !== 'cycle-a'))
    t.match((await statusOf(admin, name)).reason, reasons[name], name)
})

t.test('a migration that was edited after it ran is refused, and a further one is not', async (t) => {
  const { folder, write } = await workshop(t)
  const create = (columns: string) => `
    export const up = (knex) => knex.raw('create table lantern.wick (${columns})')
    export const down = (knex) => knex.raw('drop table lantern.wick')`
  const first = 'migrations/0001-create-wick.ts'
  await write('lantern', { 'pack.ts': lantern('first'), [first]: create('id text') })
  const { admin, as } = await stage(t, ['lantern'], { folders: [folder] })

  await write('lantern', { 'pack.ts': lantern('second'), [first]: create('id text, length integer') })
  const refused = await admin.post('/v1/packs/lantern/reload')
  t.match(refused, {
    status: 409,
    body: { error: { message: /^migrations: 0001-create-wick was edited after it was applied: put it back/ } }
  })
  t.match(await as('ada').get('/v1/lantern'), { status: 200, body: { data: 'first' } })
  await write('lantern', {
    [first]: create('id text'),
    'migrations/0002-add-length.ts': `
      export const up = (knex) => knex.raw('alter table lantern.wick add length integer')
      export const down = (knex) => knex.raw('alter table lantern.wick drop length')`
  })
  t.match(await admin.post('/v1/packs/lantern/reload'), { status: 200 })
  t.match(await as('ada').get('/v1/lantern'), { status: 200, body: { data: 'second' } })
})

t.test('a version that fails leaves the one before it running', async (t) => {
  const { folder, write } = await workshop(t)
  await write('lantern', { 'pack.ts': lantern('first') })
  const { admin, as } = await stage(t, ['lantern'], { folders: [folder] })
  const { digest } = await statusOf(admin, 'lantern')
  const faults = {
    'thrown at import': 'throw new Error("thrown at import")',
    'it did not start': lantern('second', 'start: async () => { throw new Error("it did not start") }'),
    'which is not there': lantern('second', `requires: ['nobody']`)
  }
  for (const [reason, text] of Object.entries(faults)) {
    await write('lantern', { 'pack.ts': text })
    t.match(await admin.post('/v1/packs/lantern/reload'), { status: 409 }, reason)
    t.match(await statusOf(admin, 'lantern'), { status: 'failed', digest, reason: new RegExp(reason) })
    t.match(await as('ada').get('/v1/lantern'), { status: 200, body: { data: 'first' } })
  }
  await write('lantern', { 'pack.ts': lantern('second') })
  t.match(await admin.post('/v1/packs/lantern/reload'), {
    status: 200,
    body: { data: { status: 'running' } }
  })
  t.match(await as('ada').get('/v1/lantern'), { body: { data: 'second' } })
})

t.test('a pack that failed by its files runs when they are mended, without being asked', async (t) => {
  const { folder, write } = await workshop(t)
  await write('lantern', { 'pack.ts': 'throw new Error("not yet")' })
  const { admin, as } = await stage(t, ['lantern'], { folders: [folder] })
  t.match(await statusOf(admin, 'lantern'), { status: 'failed', reason: /not yet/ })
  await write('lantern', { 'pack.ts': lantern('mended') })
  await until(
    () => statusOf(admin, 'lantern'),
    ({ status }) => status === 'running'
  )
  t.match(await as('ada').get('/v1/lantern'), { body: { data: 'mended' } })
})

t.test('a pack that failed to start is tried again, the pauses growing', async (t) => {
  const tried = hear<number>(t, 'lantern.start')
  const { folder, write } = await workshop(t)
  const before = `import { channel } from 'node:diagnostics_channel'
    globalThis.lanternStarts = 0`
  const start = `start: async () => {
      channel('lantern.start').publish(performance.now())
      if (++globalThis.lanternStarts < 3) throw new Error('start ' + globalThis.lanternStarts)
    }`
  await write('lantern', { 'pack.ts': lantern('late', start, before) })
  const { admin, as } = await stage(t, ['lantern'], { folders: [folder] })
  t.match(await statusOf(admin, 'lantern'), { status: 'failed', reason: /start: start 1/ })
  await until(
    () => statusOf(admin, 'lantern'),
    ({ status }) => status === 'running'
  )
  t.match(await as('ada').get('/v1/lantern'), { body: { data: 'late' } })
  const [first = 0, second = 0, third = 0] = tried.told
  t.equal(tried.told.length, 3)
  t.ok(third - second > second - first, 'it waited longer the second time')
})

t.test('what a pack opened before another one failed is closed again', async (t) => {
  const cellar = hear<{ event: string }>(t, 'cellar')
  const { admin } = await stage(t, [])
  t.match(await admin.put('/v1/packs/cellar', { enabled: true, settings: { flooded: true } }), {
    status: 409,
    body: { error: { message: 'start: the cellar is flooded' } }
  })
  t.same(
    cellar.told.map(({ event }) => event),
    ['opened', 'closed']
  )
})

t.test('a pack in two folders is refused, and so is one that nobody has', async (t) => {
  const { folder, write } = await workshop(t)
  await write('letters', { 'pack.ts': packText('letters') })
  const { admin } = await stage(t, [], { folders: [fixtures, folder] })
  t.match(await admin.put('/v1/packs/letters', { enabled: true }), {
    status: 409,
    body: { error: { message: /lies in more than one folder of packs/ } }
  })
  t.match(await admin.put('/v1/packs/nobody', { enabled: true }), { status: 404 })
  t.match(await admin.get('/v1/packs/nobody'), { status: 404 })
})
