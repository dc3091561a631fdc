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
import { canEnter, run, serviceAccount } from './account.ts'
import { findBinaries, findPackage, restoreLinks } from './binaries.ts'
import { hasCluster } from './folder.ts'
import { startEmbedded } from './server.ts'
import { folderFor, query, quiet, settings, start } from './testbed.ts'

const notRoot = process.getuid?.() !== 0 && 'only root runs the server as another user'

const unreadable =
  !notRoot &&
  !(await canEnter(serviceAccount(), import.meta.dirname)) &&
  'another user cannot read this checkout'

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
  await run(undefined, '/bin/chown', ['-R', `${owner.uid}:${owner.gid}`, dataDir])
  const embedded = await start(t, dataDir)
  t.same(await query(embedded, 'select 1 as n'), [{ n: 1 }])
  t.equal(statSync(path.join(dataDir, 'postmaster.pid')).uid, owner.uid)
  await embedded.leave()
})

t.test('a long path has its socket elsewhere', async (t) => {
  const embedded = await start(t, path.join(folderFor(t), 'long'.repeat(30)))
  const { host, port } = embedded.connection
  t.teardown(() => rmSync(host, { recursive: true, force: true }))
  t.not(host, embedded.where)
  t.ok(Buffer.byteLength(`${host}/.s.PGSQL.${port}`) < 104)
  t.equal(statSync(host).mode & 0o777, 0o700)
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
  const { stdout } = await run(account, process.execPath, args)
  t.match(stdout, /^The data folder .*\/data cannot be used: it is not writable \(EACCES\)\n$/)
})

t.test('a setting that PostgreSQL refuses is told, and the folder stays usable', async (t) => {
  const base = folderFor(t)
  const dataDir = path.join(base, 'data')
  const bad = { ...settings, shared_buffers: 'many' }
  await t.rejects(
    startEmbedded({ dataDir, log: quiet, settings: bad }),
    oneLine(/did not start: .*shared_buffers/)
  )
  t.ok(hasCluster(dataDir))
  const embedded = await start(t, dataDir)
  t.same(await query(embedded, 'select 1 as n'), [{ n: 1 }])
  await embedded.leave()
})

t.test('a machine without a package is told the way out', async (t) => {
  for (const [platform, arch] of [
    ['sunos', 'sparc'],
    ['win32', 'x64']
  ])
    t.throws(() => findPackage(platform, arch), oneLine(/DATABASE_URL/))
})

t.test('makes the links that npm does not keep, also twice at once', async (t) => {
  const folder = path.join(folderFor(t), 'package')
  cpSync(findPackage(), folder, { recursive: true, verbatimSymlinks: true })
  const links = JSON.parse(readFileSync(path.join(folder, 'native/pg-symlinks.json'), 'utf8'))
  for (const { target } of links as { target: string }[]) rmSync(path.join(folder, target), { force: true })
  t.equal(restoreLinks(folder), true)
  t.equal(restoreLinks(folder), true)
  for (const { source, target } of links as { source: string; target: string }[])
    t.equal(readlinkSync(path.join(folder, target)), path.basename(source))
})

t.test('programs below a home of mode 0700 are copied for root', { skip: notRoot }, async (t) => {
  const home = folderFor(t, 0o700)
  const spare = path.join(folderFor(t), 'spare')
  const folder = path.join(home, 'package')
  cpSync(findPackage(), folder, { recursive: true, verbatimSymlinks: true })
  const find = () => findBinaries(serviceAccount(), spare, folder)
  const [binaries, same] = await Promise.all([find(), find()])
  t.same(same, binaries)
  t.ok(binaries.postgres.startsWith(spare))
  t.equal((await run(serviceAccount(), binaries.initdb, ['--version'])).code, 0)
  t.ok(
    existsSync(path.join(spare, path.basename(path.dirname(path.dirname(path.dirname(binaries.postgres))))))
  )
})
