// process: own
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import t from 'tap'
import { folderFor, isUp, pidOf, query, quiet, start } from '../../../test/embedded.ts'
import { isServer } from './postmaster.ts'
import type { Embedded } from './server.ts'

type Test = Pick<typeof t, 'teardown'>

// What watches a server keeps no process alive, so that a test which waits for it must.
const alive = setInterval(() => undefined, 60_000)
t.teardown(() => clearInterval(alive))

const dataDirFor = (test: Test): string => path.join(folderFor(test), 'data')

/** Another process that starts the server; a line on its stdin makes it leave. */
interface Other extends Pick<Embedded, 'where' | 'adopted' | 'connection'> {
  readonly child: ChildProcess
  leave(): Promise<unknown>
}

async function startElsewhere(test: Test, dataDir: string): Promise<Other> {
  const program = `
    const { startEmbedded } = await import(process.argv[1])
    const log = { info() {}, warn() {}, error() {} }
    const it = await startEmbedded({ dataDir: process.argv[2], log, settings: { fsync: 'off' } })
    console.log(JSON.stringify(it))
    process.stdin.once('data', () => it.leave().then(() => process.exit()))`
  const args = ['--input-type=module', '-e', program, import.meta.resolve('./server.ts'), dataDir]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  test.teardown(() => child.kill('SIGKILL'))
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const leave = async () => {
    const exited = once(child, 'exit')
    child.stdin.write('leave\n')
    return (await exited)[0]
  }
  return { ...(JSON.parse(line) as Embedded), child, leave }
}

t.test('makes the data at the first start and finds them at the next', async (t) => {
  const dataDir = dataDirFor(t)
  const first = await start(t, dataDir)
  t.equal(first.adopted, false)
  t.equal(first.where, dataDir)
  t.equal(statSync(first.connection.host).mode & 0o777, 0o700, 'the socket is private')
  const [about] = await query(
    first,
    `select current_setting('listen_addresses') as listen, current_setting('server_encoding') as encoding,
       (select datcollate from pg_database where datname = current_database()) as locale,
       current_setting('synchronous_commit') as commit, current_setting('is_superuser') as super`
  )
  t.same(about, { listen: '', encoding: 'UTF8', locale: 'C', commit: 'on', super: 'off' })
  await query(first, 'create table kept as select 42 as n')
  await first.leave()
  t.notOk(existsSync(path.join(dataDir, 'postmaster.pid')), 'the last one stopped it')

  const again = await start(t, dataDir)
  t.equal(again.adopted, false)
  t.same(await query(again, 'select n from kept'), [{ n: 42 }])
})

t.test('serves two processes that start at once, and stops when both leave at once', async (t) => {
  const dataDir = dataDirFor(t)
  const both = await Promise.all([startElsewhere(t, dataDir), startElsewhere(t, dataDir)])
  t.same(both.map((one) => one.adopted).sort(), [false, true])
  for (const one of both) t.same(await query(one, 'select 1 as n'), [{ n: 1 }])
  t.same(readdirSync(path.dirname(dataDir)), ['data'], 'nothing is left beside')
  const pid = pidOf(dataDir)
  t.same(await Promise.all(both.map((one) => one.leave())), [0, 0])
  t.notOk(isServer(pid, dataDir))
})

t.test('starts a server again that was killed under its clients', async (t) => {
  const events = new EventEmitter()
  const log = { ...quiet, info: (_: unknown, message?: string) => void events.emit(String(message)) }
  const embedded = await start(t, dataDirFor(t), log)
  await query(embedded, 'create table kept as select 42 as n')
  const pid = pidOf(embedded.where)
  for (const attempt of ['first', 'second']) {
    const back = once(events, 'embedded PostgreSQL runs again')
    process.kill(pidOf(embedded.where), 'SIGKILL')
    await back
    t.same(await query(embedded, 'select n from kept'), [{ n: 42 }], attempt)
  }
  t.not(pidOf(embedded.where), pid)
  await embedded.leave()
  t.notOk(isUp(embedded.where))
})

t.test('starts a killed server once for two processes', async (t) => {
  const dataDir = dataDirFor(t)
  const events = new EventEmitter()
  const log = { ...quiet, info: (_: unknown, message?: string) => void events.emit(String(message)) }
  const other = await startElsewhere(t, dataDir)
  const embedded = await start(t, dataDir, log)
  const back = once(events, 'embedded PostgreSQL runs again')
  process.kill(pidOf(dataDir), 'SIGKILL')
  await back
  t.same(await query(other, 'select 1 as n'), [{ n: 1 }])
  await other.leave()
  t.ok(isUp(dataDir))
  await embedded.leave()
  t.notOk(isUp(dataDir))
})

t.test('outlives a process that is killed, and is adopted by the next', async (t) => {
  const dataDir = dataDirFor(t)
  const other = await startElsewhere(t, dataDir)
  const pid = pidOf(dataDir)
  const gone = once(other.child, 'exit')
  other.child.kill('SIGKILL')
  await gone
  const next = await start(t, dataDir)
  t.equal(next.adopted, true)
  t.equal(pidOf(dataDir), pid)
  t.same(next.connection, other.connection)
  await next.leave()
  t.notOk(isServer(pid, dataDir), 'who was killed does not keep it')
})

t.test('is stopped by the last one who leaves, and by nobody before', async (t) => {
  const dataDir = dataDirFor(t)
  const first = await start(t, dataDir)
  const second = await start(t, dataDir)
  t.equal(second.adopted, true)
  await first.leave()
  t.ok(isUp(dataDir), 'another process has a place')
  t.same(await query(second, 'select 1 as n'), [{ n: 1 }])

  const stranger = new pg.Client(second.connection)
  await stranger.connect()
  await second.leave()
  t.ok(isUp(dataDir), 'any other client keeps it')
  t.same((await stranger.query('select 1 as n')).rows, [{ n: 1 }])
  await stranger.end()

  const third = await start(t, dataDir)
  await third.leave()
  t.notOk(isUp(dataDir))
})

t.test('does not wait long for what a killed client was running', async (t) => {
  const embedded = await start(t, dataDirFor(t))
  const program = `
    const client = new (await import(process.argv[1])).default.Client(JSON.parse(process.argv[2]))
    await client.connect()
    console.log('connected')
    await client.query('select pg_sleep(3600)')`
  const args = [program, import.meta.resolve('pg'), JSON.stringify(embedded.connection)]
  const child = spawn(process.execPath, ['--input-type=module', '-e', ...args], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  await once(createInterface(child.stdout), 'line')
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
  await embedded.leave()
  t.notOk(isUp(embedded.where))
})
