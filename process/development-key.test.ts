import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { held, instance, migrated } from '../test/credentials.ts'
import { temporaryFolder } from '../test/pack-folders.ts'
import { developmentKeyFile, endDevelopmentKey, openDevelopmentKey } from './development-key.ts'

t.test('the key is made once, and is good for everything', async (t) => {
  const base = await migrated(t)
  const credentials = await instance(t, base)
  const folder = await temporaryFolder(t)
  const file = developmentKeyFile(folder)
  const open = () => openDevelopmentKey(file, { knex: base.knex, credentials })
  const all = await Promise.all([open(), open(), open(), open()])
  t.equal(new Set(all.map(({ credential }) => credential)).size, 1, 'also when several start at once')
  t.match(all[0], { id: 'developer', owner: 'developer', project: 'default', type: 'user', narrowed: false })
  t.ok(all[0]?.scopes.has('platform:admin'))
  t.equal((await stat(file)).mode & 0o777, 0o600)
  t.same(await readdir(folder), ['development-key'], 'nothing is left beside')
  t.match((await held(credentials, (await readFile(file, 'utf8')).trim())).principal, { id: 'developer' })
})

t.test('it is made anew where it is good for nothing, or others could read it', async (t) => {
  const [base, other] = [await migrated(t), await migrated(t)]
  const [credentials, elsewhere] = [await instance(t, base), await instance(t, other)]
  const file = join(await temporaryFolder(t), 'development-key')
  const open = () => openDevelopmentKey(file, { knex: base.knex, credentials })
  const seen = new Set<string>()
  async function isNew(what: string) {
    const { credential } = await open()
    t.notOk(seen.has(credential), what)
    t.equal((await open()).credential, credential, `${what}, once`)
    t.equal((await stat(file)).mode & 0o777, 0o600)
    seen.add(credential)
    return credential
  }
  await credentials.revoke(await isNew('the first'))
  await isNew('one that was revoked')
  await openDevelopmentKey(file, { knex: other.knex, credentials: elsewhere })
  await isNew('one of another database')
  await writeFile(file, 'half a k')
  await isNew('what is none')
  await rm(file)
  await isNew('one that was lost')
  const order = { name: 'other', project: 'default', type: 'user', principal: 'ada', admin: true } as const
  const ada = await credentials.createKey(order)
  await writeFile(file, ada)
  await isNew('one of another user')
  t.ok(await credentials.resolve(ada), 'which is not ours to revoke')

  const key = (await readFile(file, 'utf8')).trim()
  await chmod(file, 0o640)
  await isNew('one that others could read')
  t.equal(await credentials.resolve(key), undefined, 'and that one is revoked')
})

t.test('where no file can be written there is no key either', async (t) => {
  const base = await migrated(t)
  const credentials = await instance(t, base)
  const folder = await temporaryFolder(t)
  const open = (file: string) => openDevelopmentKey(file, { knex: base.knex, credentials })
  await mkdir(join(folder, 'taken'))
  await t.rejects(open(join(folder, 'taken')), { message: /is no file$/ })
  await t.rejects(open(join(folder, 'nowhere', 'key')), { code: 'ENOENT' })
  await base.knex('kernel.project').insert({ id: 'default', environment: 'live', scopes: [] })
  await base.knex('kernel.principal').insert({
    project: 'default',
    id: 'developer',
    type: 'user',
    owner: 'developer',
    name: 'developer',
    disabledAt: base.knex.fn.now()
  })
  await t.rejects(open(join(folder, 'key')), { message: 'Principal developer is disabled' })
  t.same(await base.knex('kernel.credential'), [])
  t.same(await readdir(folder), ['taken'])
})

t.test('in production it is revoked, and its file goes', async (t) => {
  const base = await migrated(t)
  const credentials = await instance(t, base)
  const folder = await temporaryFolder(t)
  const file = developmentKeyFile(folder)
  t.equal(await endDevelopmentKey(file, credentials), false, 'where there was none')
  await openDevelopmentKey(file, { knex: base.knex, credentials })
  const key = (await readFile(file, 'utf8')).trim()
  t.equal(await endDevelopmentKey(file, credentials), true)
  t.equal(await credentials.resolve(key), undefined)
  t.same(await readdir(folder), [])
})
