// tier: whole
import t from 'tap'
import type { Booted } from '../boot.ts'
import { createClient } from '../client.ts'
import type { Held } from './album.ts'
import { albums } from './album.ts'
import { startPlatform } from './processes.ts'
import type { Scope } from './stage.ts'
import { fixtures, hear, statusOf, until } from './stage.ts'

const path = '/v1/packs/album'

/** Another instance, and how it is asked to remove the album. */
async function another(t: Scope, home: Booted & { folder: string }) {
  const running = await startPlatform(t, home.connection, [fixtures, home.folder], ['letters', 'album'])
  await running.ready
  const client = createClient(running.url, 'admin', home.admin.key())
  return { ...running, remove: () => client.delete(`${path}?dropData=true`).catch(() => 'cut off') }
}

t.test('kill -9 in the middle of forgetting: all of it is there, and can be removed', async (t) => {
  const home = await albums(t)
  const { admin, platform, as } = home
  await admin.put(path, { settings: { title: 'Rome', code: 'hush' } })
  await as('ada').post('/v1/album/pages')
  const doomed = await another(t, home)
  const reading = await platform.knex.transaction()
  await reading('album.page')
  const asked = doomed.remove()
  const waiting = async () => {
    const { rows } = await platform.knex.raw(
      `select from pg_locks where relation = 'album.page'::regclass and not granted`
    )
    return rows.length
  }
  await until(waiting, (n) => n > 0)
  await doomed.kill()
  t.equal(await asked, 'cut off')
  await until(waiting, (n) => n === 0)
  await reading.rollback()
  t.match(await statusOf(admin, 'album'), {
    settings: { title: { value: 'Rome' } },
    enabled: { value: false }
  })
  t.equal((await platform.knex('album.page')).length, 1)
  t.match(await admin.delete(`${path}?dropData=true`), {
    status: 200,
    body: { data: { settings: ['code', 'title'], tables: ['page'], migrations: ['0001-create-page'] } }
  })
})

t.test('kill -9 while others let go: it is off, and can be removed', async (t) => {
  const held = hear<Held>(t, 'album.held')
  const home = await albums(t)
  const { admin, as } = home
  const doomed = await another(t, home)
  const slow = as('ada').post('/v1/album/slow')
  const { go } = await held.next()
  const asked = doomed.remove()
  await until(
    () => statusOf(admin, 'album'),
    ({ status }) => status === 'off'
  )
  await doomed.kill()
  t.equal(await asked, 'cut off')
  go()
  t.match(await slow, { status: 200 })
  t.match(await admin.delete(`${path}?dropData=true`), { status: 200, body: { data: { tables: ['page'] } } })
  t.match(await admin.put(path, { enabled: true }), { status: 200 })
  t.same((await as('ada').get('/v1/album/pages')).body.data, [])
})

t.test('an instance that was killed while it ran the pack is not waited for', async (t) => {
  const home = await albums(t)
  const doomed = await another(t, home)
  await doomed.kill()
  t.match(await home.admin.delete(`${path}?dropData=true`), {
    status: 200,
    body: { data: { tables: ['page'] } }
  })
})
