// process: own
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { folderFor, query, quiet, settings, start } from '../../../test/embedded.ts'
import { canEnter, processOptions, run, serviceAccount } from './folder.ts'
import { findPackage, findPrograms, restoreLinks } from './programs.ts'
import { startEmbedded } from './server.ts'

const notRoot = process.getuid?.() !== 0 && 'only root runs the server as another user'

const unreadable =
  !notRoot && !canEnter(serviceAccount(), import.meta.dirname) && 'another user cannot read this checkout'

const oneLine = (pattern: RegExp) => ({ message: new RegExp(`^(?=.*${pattern.source}).+$`) })

t.test('data below a home of mode 0700 lie elsewhere for root, linked', { skip: notRoot }, async (t) => {
  const home = folderFor(t, 0o700)
  const dataDir = path.join(home, '.data', 'postgres')
  mkdirSync(dataDir, { recursive: true })
  const embedded = await start(t, dataDir)
  t.teardown(() => rmSync(embedded.where, { recursive: true, force: true }))
  t.match(embedded.where, /^\/var\/lib\/agent-platform\/[0-9a-f]{16}$/)
  t.equal(readlinkSync(dataDir), embedded.where)
  t.equal(statSync(embedded.where).uid, serviceAccount().uid)
  t.same(await query(embedded, 'select 1 as n'), [{ n: 1 }])
  const again = await start(t, dataDir)
  t.equal(again.adopted, true)
  t.equal(again.where, embedded.where)
  await embedded.leave()
  await again.leave()
})

t.test('data of another user are served as that user', { skip: notRoot }, async (t) => {
  const dataDir = path.join(folderFor(t), 'data')
  await (await start(t, dataDir)).leave()
  const owner = { uid: 1, gid: 1 }
  run(undefined, '/bin/chown', ['-R', `${owner.uid}:${owner.gid}`, dataDir])
  const embedded = await start(t, dataDir)
  t.same(await query(embedded, 'select 1 as n'), [{ n: 1 }])
  t.equal(statSync(path.join(dataDir, 'postmaster.pid')).uid, owner.uid)
  await embedded.leave()
})

t.test('a path that is too long for a socket', async (t) => {
  const dataDir = path.join(folderFor(t), 'long'.repeat(30))
  if (notRoot) return t.rejects(start(t, dataDir), oneLine(/cannot be used: its path is too long/))
  const embedded = await start(t, dataDir)
  t.teardown(() => rmSync(embedded.where, { recursive: true, force: true }))
  t.equal(readlinkSync(dataDir), embedded.where)
  t.same(await query(embedded, 'select 1 as n'), [{ n: 1 }])
  await embedded.leave()
})

t.test('a folder that cannot be used gives one clear line', async (t) => {
  const base = folderFor(t)
  const foreign = path.join(base, 'foreign')
  mkdirSync(foreign)
  writeFileSync(path.join(foreign, 'notes.txt'), 'mine')
  await t.rejects(start(t, foreign), oneLine(/foreign cannot be used: it is not empty/))
  t.same(readFileSync(path.join(foreign, 'notes.txt'), 'utf8'), 'mine')
  await t.rejects(
    start(t, path.join(foreign, 'notes.txt', 'data')),
    oneLine(/cannot be used: E(NOTDIR|EXIST)/)
  )

  const old = path.join(base, 'old')
  await (await start(t, old)).leave()
  writeFileSync(path.join(old, 'PG_VERSION'), '15\n')
  await t.rejects(start(t, old), oneLine(/made by PostgreSQL 15, the embedded one is 18.*DATABASE_URL/))
})

t.test('a folder that is not writable gives one clear line', { skip: unreadable }, async (t) => {
  const base = folderFor(t, 0o555)
  const program = `
    const { startEmbedded } = await import(process.argv[1])
    const log = { info() {}, warn() {}, error() {} }
    await startEmbedded({ dataDir: process.argv[2], log }).catch(error => console.log(error.message))`
  const args = ['--input-type=module', '-e', program, import.meta.resolve('./server.ts'), `${base}/data`]
  const account = notRoot ? undefined : serviceAccount()
  const { stdout } = spawnSync(process.execPath, args, { ...processOptions(account), encoding: 'utf8' })
  t.match(stdout, /^The embedded PostgreSQL on .*\/data cannot be used: EACCES: permission denied.*\n$/)
})

t.test('a setting that PostgreSQL refuses is told, and the folder stays usable', async (t) => {
  const base = folderFor(t)
  const dataDir = path.join(base, 'data')
  const bad = { ...settings, shared_buffers: 'many' }
  await t.rejects(
    startEmbedded({ dataDir, log: quiet, settings: bad }),
    oneLine(/did not start: .*shared_buffers/)
  )
  t.ok(existsSync(path.join(dataDir, 'PG_VERSION')))
  const embedded = await start(t, dataDir)
  t.same(await query(embedded, 'select 1 as n'), [{ n: 1 }])
  await embedded.leave()
})

t.test('a machine without a package is told the way out', async (t) => {
  for (const machine of ['sunos-sparc', 'win32-x64'])
    t.throws(() => findPackage(machine), oneLine(/DATABASE_URL/))
})

t.test('makes the links that npm does not keep, also twice', async (t) => {
  const folder = path.join(folderFor(t), 'package')
  cpSync(findPackage(), folder, { recursive: true, verbatimSymlinks: true })
  const links = JSON.parse(readFileSync(path.join(folder, 'native/pg-symlinks.json'), 'utf8'))
  for (const { target } of links as { target: string }[]) rmSync(path.join(folder, target), { force: true })
  restoreLinks(folder)
  restoreLinks(folder)
  for (const { source, target } of links as { source: string; target: string }[])
    t.equal(readlinkSync(path.join(folder, target)), path.basename(source))
})

t.test('programs below a home of mode 0700 are copied for root', { skip: notRoot }, async (t) => {
  const folder = path.join(folderFor(t, 0o700), 'package')
  cpSync(findPackage(), folder, { recursive: true, verbatimSymlinks: true })
  const version = `18.0.0-test-${process.pid}`
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ version }))
  const copy = `/var/lib/agent-platform/postgresql-${version}`
  t.teardown(() => rmSync(copy, { recursive: true, force: true }))
  const programs = findPrograms(serviceAccount(), folder)
  t.same(programs, { bin: path.join(copy, 'native/bin'), major: 18 })
  t.same(findPrograms(serviceAccount(), folder), programs)
  t.doesNotThrow(() => run(serviceAccount(), path.join(programs.bin, 'initdb'), ['--version']))
})
