// tier: whole
import { once } from 'node:events'
import type { Knex } from 'knex'
import t from 'tap'
import { createClient } from '../client.ts'
import { database } from '../database.ts'
import { migrated } from '../migrated.ts'
import { packText } from '../pack-folders.ts'
import { rounds } from '../rounds.ts'
import { start, startPlatform } from './processes.ts'
import type { Scope } from './stage.ts'
import { fixtures, stage, statusOf, until, workshop } from './stage.ts'

const LOCK = 990_017
/** A pack's statement that waits as long as the test holds the lock. */
const pause = `select pg_advisory_xact_lock(${LOCK})`

/** Holds up what comes to the pause: `reached` resolves when something has, `open` lets all through. */
async function barrier(t: Scope, knex: Knex) {
  const trx = await knex.transaction()
  await trx.raw(pause)
  const open = async () => {
    if (!trx.isCompleted()) await trx.rollback()
  }
  t.teardown(open)
  const waiting = async () => {
    const { rows } = await knex.raw(
      `select count(*)::int as n from pg_locks where locktype = 'advisory' and objid = ${LOCK} and not granted
         and database = (select oid from pg_database where datname = current_database())`
    )
    return rows[0].n as number
  }
  return { open, reached: () => until(waiting, (n) => n > 0), left: () => until(waiting, (n) => n === 0) }
}

t.test('kill -9 in the middle of a migration: another instance applies it, once', async (t) => {
  const { folder, write } = await workshop(t)
  await write('lantern', {
    'pack.ts': packText('lantern'),
    'migrations/0001-create-wick.ts': `
      export async function up(knex) {
        await knex.raw('create table lantern.wick (id text)')
        await knex.raw('${pause}')
        await knex.raw("insert into lantern.wick values ('lit')")
      }
      export const down = (knex) => knex.raw('drop table lantern.wick')`
  })
  const home = await stage(t, [], { folders: [folder] })
  const { open, reached, left } = await barrier(t, home.platform.knex)
  const doomed = await startPlatform(t, home.connection, [folder], ['lantern'])
  await reached()
  await doomed.kill()
  await left()
  await open()
  t.match(await home.admin.put('/v1/packs/lantern', { enabled: true }), { status: 200 })
  t.same(await home.platform.knex('lantern.wick').pluck('id'), ['lit'])
  t.same(await home.platform.knex('kernel.migration').where({ pack: 'lantern' }).pluck('name'), [
    '0001-create-wick'
  ])
})

t.test('kill -9 in the middle of handling a fact: it is handled once, by another instance', async (t) => {
  const { folder, write } = await workshop(t)
  await write('counter', {
    'pack.ts': packText(
      'counter',
      `on: { 'letters.sent': () => async (fact, trx) => {
        await trx('counter.line').insert({ id: fact.subject })
        await trx.raw('${pause}')
      } }`
    ),
    'migrations/0001-create-line.ts': `
      export const up = (knex) => knex.raw('create table counter.line (id text)')
      export const down = (knex) => knex.raw('drop table counter.line')`
  })
  const home = await stage(t, ['letters'], { folders: [fixtures, folder] })
  const { open, reached, left } = await barrier(t, home.platform.knex)
  const doomed = await startPlatform(t, home.connection, [fixtures, folder], ['letters', 'counter'])
  await doomed.ready
  const { body } = await home.as('ada').post('/v1/letters', { text: 'dear' })
  await reached()
  await doomed.kill()
  await left()
  await open()
  t.same(await home.platform.knex('counter.line'), [], 'nothing of the handler that died is left')
  t.match(await home.admin.put('/v1/packs/counter', { enabled: true }), { status: 200 })
  await home.settled()
  t.same(await home.platform.knex('counter.line').pluck('id'), [body.data.id])
})

t.test('kill -9 in the middle of a change: it was never written, and can be asked for again', async (t) => {
  const { folder, write } = await workshop(t)
  await write('lantern', {
    'pack.ts': packText('lantern', `start: async ({ knex }) => { await knex.raw('${pause}') }`)
  })
  const home = await stage(t, [], { folders: [folder] })
  const { open, reached, left } = await barrier(t, home.platform.knex)
  const doomed = await startPlatform(t, home.connection, [folder], [])
  await doomed.ready
  const asked = createClient(doomed.url, 'admin', home.admin.key())
    .put('/v1/packs/lantern', { enabled: true })
    .catch(() => 'cut off')
  await reached()
  await doomed.kill()
  t.equal(await asked, 'cut off')
  await left()
  await open()
  t.match(await statusOf(home.admin, 'lantern'), {
    status: 'off',
    enabled: { value: false },
    desiredDigest: null
  })
  t.match(await home.admin.put('/v1/packs/lantern', { enabled: true }), { status: 200 }, 'no lock was left')
})

const KILLS = rounds(1, 20)

t.test('kill -9 under writes: what was acknowledged is there, and counted once', async (t) => {
  const packs = ['letters', 'tally']
  const home = await stage(t, packs)
  const key = home.as('ada').key()
  const acknowledged: string[] = []
  for (let round = 0; round < KILLS; round++) {
    const doomed = await startPlatform(t, home.connection, [fixtures], packs)
    await doomed.ready
    const client = createClient(doomed.url, 'ada', key)
    const goal = acknowledged.length + 40
    const writing = Array.from({ length: 8 }, async () => {
      for (;;) {
        const reply = await client.post('/v1/letters', { text: `round ${round}` }).catch(() => undefined)
        if (reply?.status !== 201) return
        acknowledged.push(reply.body.data.id)
        if (acknowledged.length === goal) doomed.child.kill('SIGKILL')
      }
    })
    await Promise.all(writing)
  }
  await home.settled()
  t.ok(acknowledged.length >= 40 * KILLS)
  const counts = (await home.as('ada').get('/v1/tally')).body.data
  const letters: string[] = await home.platform.knex('letters.letter').pluck('id')
  t.same(
    acknowledged.filter((id) => !letters.includes(id)),
    []
  )
  t.same(counts, Object.fromEntries(letters.map((id) => [id, 1])), 'also those whose reply was cut off')
})

t.test('the process itself: ready again after kill -9, and SIGTERM ends it with 0', async (t) => {
  const { connection } = await database(t, migrated())
  const { host = '', port = 5432, user = '', database: name = '', password } = connection
  const login = password === undefined ? user : `${user}:${encodeURIComponent(String(password))}`
  const env = {
    DATABASE_URL: `postgres://${login}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`,
    DEPLOYMENT: 'test'
  }
  const first = await start(t, 'process/main.ts', env)
  await first.ready
  await first.kill()
  const second = await start(t, 'process/main.ts', env)
  await second.ready
  const { up, failed } = (await createClient(second.url, 'anyone').get('/health')).body.data.packs
  t.ok(up.includes('access') && up.includes('agents'), `${up}`)
  t.same(failed, [])
  t.match(await createClient(second.url, 'anyone').get('/health/ready'), { status: 200 })
  const exited = once(second.child, 'exit')
  second.child.kill('SIGTERM')
  t.same(await exited, [0, null])
})
