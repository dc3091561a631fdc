import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { connect, createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Knex } from 'knex'
import { pino } from 'pino'
import t from 'tap'
import { becomes } from '../../test/connected.ts'
import type { Connection } from '../../test/database.ts'
import { database } from '../../test/database.ts'
import { instanceLock, listLiving } from './instance.ts'
import { up } from './migrations/0001-create-instance.ts'
import * as urlMigration from './migrations/0009-add-instance-url.ts'
import { createPresence } from './presence.ts'

const log = pino({ level: 'silent' })
type Test = Parameters<typeof database>[0]

async function prepared(t: Test) {
  const { connection, knex } = await database(t)
  await knex.raw('create schema kernel')
  await up(knex)
  return { connection, knex }
}

function presence(t: Test, connection: Connection) {
  const it = createPresence({ connection, log, version: '1.2.3' })
  t.teardown(() => it.close())
  return it
}

async function until<T>(look: () => Promise<T | undefined | false>): Promise<T> {
  for (;;) {
    const found = await look()
    if (found) return found
    await delay(20)
  }
}

/** Cuts the connection of the instance as an administrator would. */
const terminate = (knex: Knex, id: number) =>
  knex.raw(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = ?::bigint::oid
        and objid = ?::bigint::oid and database = (select oid from pg_database where datname = current_database())`,
    [instanceLock, id]
  )

/** A way to the database that can be made silent: open, but nothing passes any more. */
async function pipe(t: Test, { host, port }: Connection) {
  const sockets = new Set<Socket>()
  let silent = false
  const server = createServer((near) => {
    const far =
      port === undefined || host?.startsWith('/')
        ? connect(`${host}/.s.PGSQL.${port ?? 5432}`)
        : connect(port, host)
    for (const [from, to] of [
      [near, far],
      [far, near]
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => !silent && to.write(bytes))
      from.on('error', () => undefined)
      from.on('close', () => !silent && to.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port,
    silence(now: boolean) {
      silent = now
    }
  }
}

t.test('registers, shows that it drains, and leaves nothing behind', async (t) => {
  const { connection, knex } = await prepared(t)
  const it = createPresence({ connection, log, version: '1.2.3' })
  t.equal(it.id(), undefined)
  t.equal(it.connected, false)
  await it.start()
  t.equal(it.connected, true)
  const rows = await knex.withSchema('kernel').from('instance')
  t.match(rows, [{ id: it.id(), pid: process.pid, version: '1.2.3', draining: false, deadAt: null }])
  await it.drain()
  t.equal((await knex.withSchema('kernel').first('draining').from('instance')).draining, true)
  await it.close()
  t.equal(it.connected, false)
  t.same(await knex.withSchema('kernel').from('instance'), [])
})

t.test('waits for a schema that is not there yet', async (t) => {
  const { connection, knex } = await database(t)
  const it = presence(t, connection)
  const started = it.start()
  await knex.raw('create schema kernel')
  await up(knex)
  await started
  t.equal(it.connected, true)
})

t.test('start rejects when it is closed before', async (t) => {
  const it = createPresence({ connection: { host: '127.0.0.1', port: 1 }, log })
  const started = it.start()
  await it.close()
  await t.rejects(started, { message: /Closed before/ })
})

t.test('hears notifications, also on channels added later, until disposed', async (t) => {
  const { connection, knex } = await prepared(t)
  const it = presence(t, connection)
  const heard: string[] = []
  it.listen('early', (payload) => heard.push(`early ${payload}`))
  it.listen('early', () => {
    throw new Error('hurts nobody')
  })
  await it.start()
  const late = it.listen('La"te', (payload) => heard.push(`late ${payload}`))
  const notify = (channel: string, payload: string) => knex.raw('select pg_notify(?, ?)', [channel, payload])
  await notify('early', '1')
  await until(async () => heard.length === 1)
  await until(async () => {
    await notify('La"te', '2')
    return heard.includes('late 2')
  })
  late[Symbol.dispose]()
  await notify('La"te', '3')
  await notify('early', '4')
  await until(async () => heard.includes('early 4'))
  t.notOk(heard.includes('late 3'))
})

t.test('a lost connection flips connected and comes back under the same id', async (t) => {
  const { connection, knex } = await prepared(t)
  const it = presence(t, connection)
  await it.start()
  const id = it.id() as number
  const heard: string[] = []
  it.listen('again', (payload) => heard.push(payload))
  const away = becomes(it, false)
  await terminate(knex, id)
  await away
  await becomes(it, true)
  t.equal(it.id(), id)
  await knex.raw(`notify again, 'yes'`)
  await until(async () => heard.length > 0)
  t.same(heard, ['yes'])
})

t.test(
  'a silent server counts as away though no connection is closed, and the id is taken back',
  async (t) => {
    const { connection } = await prepared(t)
    const way = await pipe(t, connection)
    const it = presence(t, { ...connection, host: '127.0.0.1', port: way.port })
    await it.start()
    const id = it.id()
    const away = becomes(it, false)
    way.silence(true)
    await away
    t.equal(it.connected, false)
    way.silence(false)
    // The session that went silent still holds the lock: it was never closed on the server's side.
    await becomes(it, true)
    t.equal(it.id(), id)
  }
)

t.test('an instance that was declared dead comes back under a new id', async (t) => {
  const { connection, knex } = await prepared(t)
  const [it, other] = [presence(t, connection), presence(t, connection)]
  await Promise.all([it.start(), other.start()])
  const id = it.id() as number
  await knex.raw(`update kernel.instance set "heartbeatAt" = now() - interval '46 s' where id = ?`, [id])
  t.same(await other.dead(), [id])
  t.same(await other.dead(), [id], 'it stays dead')
  await terminate(knex, id)
  await until(async () => it.connected && it.id() !== id)
  t.same(await other.dead(), [id])
  t.same(await it.dead(), [id])
})

t.test('dead() sees a killed process, and no living one', async (t) => {
  const { connection } = await prepared(t)
  const it = presence(t, connection)
  await it.start()
  const program = `
    import { pino } from 'pino'
    import { createPresence } from ${JSON.stringify(new URL('presence.ts', import.meta.url).href)}
    const it = createPresence({ connection: ${JSON.stringify(connection)}, log: pino({ level: 'silent' }) })
    await it.start()
    process.stdout.write(String(it.id()))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit']
  })
  t.teardown(() => child.kill('SIGKILL'))
  const [id] = (await once(child.stdout, 'data')).map(Number)
  t.same(await it.dead(), [], 'it lives')
  child.kill('SIGKILL')
  t.same(await until(async () => (await it.dead()).length > 0 && it.dead()), [id])
})

t.test('down takes the table away again', async (t) => {
  const { knex } = await prepared(t)
  const { down } = await import('./migrations/0001-create-instance.ts')
  await down(knex)
  t.equal((await knex.raw(`select to_regclass('kernel.instance') as it`)).rows[0].it, null)
})

t.test('others see where it listens for as long as it lives', async (t) => {
  const { connection, knex } = await database(t)
  t.strictSame(await listLiving(knex), [], 'nothing has ever run there')
  await knex.raw('create schema kernel')
  await up(knex)
  t.strictSame(await listLiving(knex), [], 'nor anything of this version')
  await urlMigration.up(knex)
  await urlMigration.down(knex)
  await urlMigration.up(knex)

  const [here, guest] = [presence(t, connection), presence(t, connection)]
  await here.start('http://127.0.0.1:3000')
  await guest.start()
  t.match(await listLiving(knex), [
    { id: guest.id(), url: null, pid: process.pid },
    { id: here.id(), url: 'http://127.0.0.1:3000', version: '1.2.3', draining: false }
  ])
  await guest.close()
  t.match(await listLiving(knex), [{ id: here.id() }])

  // Its row stays when it is killed.
  const id = here.id() as number
  const again = becomes(here, false).then(() => becomes(here, true))
  await knex('kernel.instance').where({ id }).update({ deadAt: new Date() })
  await terminate(knex, id)
  await again
  t.not(here.id(), id)
  t.match(
    await listLiving(knex),
    [{ id: here.id(), url: 'http://127.0.0.1:3000' }],
    'under its new number too'
  )
  await knex.raw(
    `insert into kernel.instance (host, pid, version, url) values ('gone', 1, '1', 'http://127.0.0.1:1')`
  )
  t.equal((await listLiving(knex)).length, 1, 'an instance that holds no lock is dead')
})
