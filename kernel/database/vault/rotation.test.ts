// process: own
import { chmodSync, readdirSync, statSync } from 'node:fs'
import t from 'tap'
import { rotateKeyFile } from './rotation.ts'
import { check, child, log, setUp } from './rotation-fixture.ts'
import { placeOfDataKey } from './wrapping.ts'

const sameDatabase = 'database = (select oid from pg_database where datname = current_database())'

t.test('a new key in the place of the old one', async (t) => {
  const site = await setUp(t)
  const { knex, dataDir, file, open, keys } = site
  const running = open()
  const [old] = keys()
  t.strictSame(await rotateKeyFile({ knex, dataDir, log }), { changed: 3, lost: 0, keys: 1 })
  const [first] = keys()
  t.not(first, old)
  t.equal(Buffer.from(first as string, 'base64').length, 32)
  t.equal(statSync(file).mode & 0o777, 0o600)
  t.strictSame(readdirSync(dataDir), ['secret-key'])
  await check(t, site, 'after it')
  t.equal(await running.open('p', 'place', site.sealed[0] as string), 'one', 'what ran meanwhile goes on')
  const sealed = await running.seal('new', 'place', 'three')
  t.equal(await open().open('new', 'place', sealed), 'three', 'and what it makes can be read')
  t.equal((await rotateKeyFile({ knex, dataDir, log })).changed, 4, 'as often as one likes')
  await check(t, site, 'after the second')
})

t.test('keeps the old key where another database may need it', async (t) => {
  const site = await setUp(t)
  const { knex, dataDir, keys } = site
  const [old] = keys()
  t.strictSame(await rotateKeyFile({ knex, dataDir, log, keep: true }), { changed: 3, lost: 0, keys: 2 })
  t.equal(keys()[1], old)
  t.strictSame(await rotateKeyFile({ knex, dataDir, log, keep: true }), { changed: 3, lost: 0, keys: 3 })
  t.equal(keys()[2], old)
  t.strictSame(await rotateKeyFile({ knex, dataDir, log }), { changed: 0, lost: 0, keys: 1 })
  await check(t, site, 'after it')
})

t.test('what does not open is left, and so is the key that it names', async (t) => {
  const { knex, dataDir, keys, open, sealed } = await setUp(t)
  await knex('kernel.data_key').where({ project: 'q' }).update({ wrapped: 'damaged' })
  t.strictSame(await rotateKeyFile({ knex, dataDir, log }), { changed: 2, lost: 1, keys: 2 })
  const [first, old] = keys()
  t.strictSame(await rotateKeyFile({ knex, dataDir, log }), { changed: 2, lost: 1, keys: 2 })
  t.not(keys()[0], first, 'which is no reason not to change the key again')
  t.equal(keys()[1], old)
  t.equal(await open().open('p', 'place', sealed[0] as string), 'one')
})

t.test('refuses what it cannot change', async (t) => {
  const { knex, dataDir, file, keys } = await setUp(t)
  const before = keys()
  chmodSync(file, 0o644)
  await t.rejects(rotateKeyFile({ knex, dataDir, log }), /chmod 600/)
  t.strictSame(keys(), before)
  const empty = t.testdir()
  await t.rejects(rotateKeyFile({ knex, dataDir: empty, log }), /There is no .*secret-key yet/)
  t.strictSame(readdirSync(empty), [])
})

t.test('a rotation waits for an instance that is about to store a key', async (t) => {
  const site = await setUp(t)
  const { knex, dataDir, open, keys } = site
  const waiting = async () =>
    (await knex('pg_locks').where({ locktype: 'advisory', granted: false }).whereRaw(sameDatabase)).length > 0
  const [old] = keys()
  let rotation: Promise<unknown> | undefined
  let done = false
  await open().storing(async (trx, wrap) => {
    const row = {
      project: 'new',
      id: 'dk_new',
      ...wrap(placeOfDataKey('new', 'dk_new'), Buffer.from('made'))
    }
    rotation = rotateKeyFile({ knex, dataDir, log }).finally(() => {
      done = true
    })
    while (!(await waiting()) && !done);
    t.strictSame([done, keys()], [false, [old]])
    await trx('kernel.data_key').insert(row)
  })
  t.match(await rotation, { changed: 4, lost: 0, keys: 1 })
  const row = await knex('kernel.data_key').where({ project: 'new' }).first()
  t.equal(open().unwrap(placeOfDataKey('new', 'dk_new'), row).toString(), 'made')
})

t.test('several rotations at once, while a platform makes keys', async (t) => {
  const site = await setUp(t)
  const { knex, dataDir, open } = site
  const running = open()
  const rotations = Promise.all([child(site), child(site), child(site)])
  let done = false
  void rotations.finally(() => {
    done = true
  })
  const made: [project: string, sealed: string][] = []
  for (let at = 0; !done || at === 0; at++) {
    const project = `made-${at}`
    made.push([project, await running.seal(project, 'place', project)])
  }
  t.strictSame(
    (await rotations).map(({ code }) => code),
    [0, 0, 0]
  )
  await check(t, site, 'all of the old ones')
  const later = open()
  for (const [project, sealed] of made) t.equal(await later.open(project, 'place', sealed), project)
  t.equal((await rotateKeyFile({ knex, dataDir, log })).keys, 1)
  await check(t, site, 'after one more')
  t.comment(`${made.length} keys were made meanwhile`)
})
