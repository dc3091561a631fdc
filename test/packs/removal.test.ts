// tier: whole
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import type { Booted } from '../boot.ts'
import type { Client } from '../client.ts'
import { packText, writeFiles } from '../pack-folders.ts'
import type { Held } from './album.ts'
import { albums } from './album.ts'
import { fixtures, hear, lastChange, stage, statusOf, until, workshop } from './stage.ts'

const path = '/v1/packs/album'
const pages = async (client: Client) => (await client.get('/v1/album/pages')).body.data.length
const rowsOf = async ({ platform: { knex } }: Booted, table: string) =>
  knex(`kernel.${table}`).where({ [table === 'pack' ? 'name' : 'pack']: 'album' })

t.test('what was set, chosen and waits is forgotten; the data stay', async (t) => {
  const booted = await albums(t)
  const { admin, as, platform } = booted
  const ada = as('ada')
  await admin.put(path, { settings: { title: 'Rome', code: 'hush' } })
  await ada.put('/v1/letters/carrier', { key: 'album' })
  t.match(await ada.post('/v1/album/pages'), { body: { data: { title: 'Rome', code: 'hush' } } })
  await ada.post('/v1/letters', { text: 'dear' })
  await until(
    () => platform.packs.backlog(),
    (all) => all.some(({ pack }) => pack === 'album')
  )
  const { digest } = await statusOf(admin, 'album')

  t.match(await admin.delete(path), {
    status: 200,
    body: {
      data: {
        id: 'album',
        deleted: true,
        settings: ['code', 'title'],
        choices: 1,
        facts: 1,
        tables: [],
        migrations: []
      }
    }
  })
  t.match(await ada.get('/v1/album/pages'), { status: 404 })
  t.match(await lastChange(admin, 'album'), {
    action: 'removed',
    outcome: 'applied',
    fromDigest: digest,
    toDigest: null,
    migrations: [],
    actor: String
  })
  t.match(await statusOf(admin, 'album'), {
    status: 'off',
    enabled: { value: false, from: 'table' },
    settings: { title: { value: null, from: 'default' }, code: { value: { set: false } } },
    desiredDigest: null,
    summary: 'pages that stay'
  })
  for (const table of ['fact_cursor', 'fact_held']) t.same(await rowsOf(booted, table), [], table)
  t.same(await platform.knex('kernel.choice'), [])
  t.same(await rowsOf(booted, 'pack'), [{ name: 'album', enabled: false, settings: {}, digest: null }])
  t.match(
    await ada.get('/v1/letters/carrier'),
    { status: 503, body: { error: { message: 'Nothing serves letters.carrier' } } },
    'the choice is not waited for any more'
  )
  t.match(await admin.delete(path), { status: 200, body: { data: { settings: [], facts: 0 } } }, 'again')

  t.match(await admin.put(path, { enabled: true }), { body: { data: { status: 'running' } } })
  t.equal(await pages(ada), 1, 'what it kept is still there')
  t.match(await ada.get('/v1/album/pages'), { body: { settings: {} } })
  t.same(await platform.packs.backlog(), [], 'what it had not heard of it never will')
})

t.test('with the data its tables go, and it begins anew', async (t) => {
  const booted = await albums(t)
  const { admin, as, platform } = booted
  await as('ada').post('/v1/album/pages')
  t.match(await admin.delete(`${path}?dropData=true`), {
    status: 200,
    body: { data: { tables: ['page'], migrations: ['0001-create-page'] } }
  })
  t.match(await lastChange(admin, 'album'), { action: 'removed', migrations: ['0001-create-page'] })
  t.same(await rowsOf(booted, 'migration'), [])
  t.same(
    await platform.knex('pg_namespace').whereIn('nspname', ['album', 'letters', 'kernel']).pluck('nspname'),
    ['kernel', 'letters'],
    'no other schema'
  )
  t.match(await admin.put(path, { enabled: true }), { body: { data: { status: 'running' } } })
  t.match(await lastChange(admin, 'album'), { action: 'enabled', migrations: ['0001-create-page'] })
  t.equal(await pages(as('ada')), 0)
  await as('ada').post('/v1/album/pages')
  t.equal(await pages(as('ada')), 1)
})

t.test('a pack whose folder is gone leaves nothing, and its data may go later', async (t) => {
  const booted = await albums(t)
  const { admin, as, folder, platform } = booted
  await as('ada').post('/v1/album/pages')
  await rm(join(folder, 'album'), { recursive: true })
  t.match(await admin.delete(path), { status: 200 })
  t.match(await admin.get(path), { status: 404 })
  t.notOk((await admin.get('/v1/packs')).body.data.some(({ name }: { name: string }) => name === 'album'))
  for (const table of ['pack', 'pack_instance']) t.same(await rowsOf(booted, table), [], table)
  t.match(await admin.delete(path), { status: 404 }, 'nothing is left')
  t.equal((await platform.knex('album.page')).length, 1)
  t.match(await admin.delete(`${path}?dropData=true`), { status: 200, body: { data: { tables: ['page'] } } })
  t.match(await admin.delete(`${path}?dropData=true`), { status: 404 })
})

t.test('a folder that goes after the pack was removed leaves nothing either', async (t) => {
  const { admin, folder } = await albums(t)
  await admin.delete(path)
  await rm(join(folder, 'album'), { recursive: true })
  t.match(await admin.get(path), { status: 404 })
  t.match(await admin.put(path, { enabled: true }), { status: 404 })
  t.match(await admin.delete(path), { status: 404 })
})

t.test('who may not, what is not there, and what is in the way', async (t) => {
  const { folder } = await workshop(t)
  await writeFiles(folder, {
    'poster/pack.ts': packText('poster', `requires: ['letters']`),
    'writer/pack.ts': packText('writer', `requires: ['letters']`),
    'idle/pack.ts': packText('idle', `requires: ['letters']`),
    'kernel/contract/pack.ts': packText('kernel')
  })
  const { admin, as, anyone, platform } = await stage(t, [], {
    folders: [fixtures, folder],
    deployment: {
      enabled: false,
      packs: {
        access: { enabled: true },
        packs: { enabled: true },
        letters: { enabled: true },
        poster: { enabled: true },
        writer: { enabled: true },
        tally: { locked: { enabled: true } }
      }
    }
  })
  const { generation } = platform.packs.readings()
  t.match(await as('ada').delete('/v1/packs/letters'), {
    status: 403,
    body: { error: { code: 'scope_missing' } }
  })
  t.match(await anyone.delete('/v1/packs/letters'), { status: 401 })
  t.match(await admin.delete('/v1/packs/nope'), { status: 404 })
  t.match(await admin.delete('/v1/packs/nope?dropData=true'), { status: 404 })
  t.match(await admin.delete('/v1/packs/letters?dropData=perhaps'), {
    status: 400,
    body: { error: { param: 'dropData' } }
  })
  t.match(await admin.delete('/v1/packs/letters?drop=true'), { status: 400 })
  t.match(await admin.delete('/v1/packs/letters'), {
    status: 409,
    body: { error: { code: 'pack_required', message: /poster, writer$/ } }
  })
  t.match(await lastChange(admin, 'letters'), { action: 'removed', outcome: 'refused', reason: /poster/ })
  for (const pack of ['packs', 'tally', 'kernel'])
    t.match(
      await admin.delete(`/v1/packs/${pack}?dropData=true`),
      { status: 409, body: { error: { code: 'locked' } } },
      pack
    )
  t.equal(platform.packs.readings().generation, generation, 'nothing was changed')
  t.ok((await platform.knex('kernel.migration').where({ pack: 'kernel' })).length > 0)

  for (const pack of ['poster', 'writer']) await admin.put(`/v1/packs/${pack}`, { enabled: false })
  t.match(await admin.delete('/v1/packs/letters'), { status: 200 }, 'a pack that is off needs nothing')
})

t.test('requests under way end first, also on another instance, which lets go of it', async (t) => {
  const held = hear<Held>(t, 'album.held')
  const first = await albums(t)
  const second = await albums(t, first.folder, first)
  const slow = second.as('ada').post('/v1/album/slow')
  const { go } = await held.next()
  const removed = first.admin.delete(`${path}?dropData=true`)
  const instances = await until(
    async () => (await statusOf(first.admin, 'album')).instances as { status: string; digest: string }[],
    (all) => all.some(({ digest }) => digest !== null) && all.every(({ status }) => status === 'off')
  )
  t.match(
    instances.find(({ digest }) => digest),
    { reason: 'its last requests have not ended' }
  )
  t.match(await second.as('ada').get('/v1/album/pages'), { status: 404 }, 'no new ones')
  t.equal((await first.platform.knex('album.page')).length, 0, 'its tables are still there')
  go()
  t.match(await slow, { status: 200, body: { data: 'kept' } })
  t.match(await removed, { status: 200, body: { data: { tables: ['page'] } } })
  t.match(await second.admin.put(path, { enabled: true }), { status: 200 })
  await until(
    () => first.as('ada').get('/v1/album/pages'),
    ({ status }) => status === 200
  )
  t.equal(await pages(first.as('ada')), 0)
})

t.test('removed twice at once, on two instances', async (t) => {
  const first = await albums(t)
  const second = await albums(t, first.folder, first)
  const replies = await Promise.all([first, second].map(({ admin }) => admin.delete(`${path}?dropData=true`)))
  for (const { status } of replies) t.equal(status, 200)
  t.same(replies.flatMap(({ body }) => body.data.tables).join(), 'page', 'one of them had something to take')
})

t.test('an instance that starts later does not bring it back', async (t) => {
  const first = await albums(t)
  await first.admin.delete(`${path}?dropData=true`)
  const later = await albums(t, first.folder, first)
  t.match(await later.as('ada').get('/v1/album/pages'), { status: 404 })
  t.match(await statusOf(later.admin, 'album'), { status: 'off', enabled: { value: false, from: 'table' } })
  t.same(await rowsOf(later, 'migration'), [])
})

t.test('where one instance has the folder and another has not, it stays off', async (t) => {
  const first = await albums(t)
  const { folder: empty } = await workshop(t)
  const on = Object.fromEntries(
    ['access', 'packs', 'letters', 'album'].map((name) => [name, { enabled: true }])
  )
  const second = await stage(t, [], {
    folders: [fixtures, empty],
    beside: first,
    deployment: { enabled: false, packs: on }
  })
  t.match(await second.admin.delete(path), { status: 200 })
  t.match(await second.admin.get(path), { status: 404 }, 'nothing of it lies here')
  t.match(await statusOf(first.admin, 'album'), { status: 'off', enabled: { value: false, from: 'table' } })
})

t.test('tables that another transaction uses are waited for briefly', async (t) => {
  const { admin, platform, as } = await albums(t)
  await as('ada').post('/v1/album/pages')
  const reading = await platform.knex.transaction()
  await reading('album.page')
  t.match(await admin.delete(`${path}?dropData=true`), {
    status: 409,
    body: { error: { code: 'data_in_use' } }
  })
  t.equal((await rowsOf({ platform } as Booted, 'migration')).length, 1, 'all of it or nothing')
  await reading.rollback()
  t.match(await admin.delete(`${path}?dropData=true`), { status: 200, body: { data: { tables: ['page'] } } })
})
