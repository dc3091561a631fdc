// budget: 6 s, because a process is killed in the middle of an upload
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { until } from '../../../test/packs/stage.ts'
import { createDiskDriver } from '../drivers/disk.ts'
import { digest, filesIn, pieces, storageOn, temporary } from './testbed.ts'

const booted = await boot(t, 'storage')
const MAX = { maxBytes: 100_000_000 }

t.test('bytes are put, found, opened in ranges and read', async (t) => {
  const folder = await temporary(t)
  const { objects } = storageOn(booted, createDiskDriver(folder))
  const bytes = randomBytes(3_000_001)
  const put = await objects.put(pieces(bytes), MAX)
  const { sha256, size } = put
  t.same(await objects.find(sha256), { sha256, size })
  t.same([sha256, size], [digest(bytes), bytes.length])
  t.ok(bytes.equals(await buffer(await objects.open(put.sha256))))
  const range = { start: 1_000_000, end: 2_500_000 }
  t.ok(bytes.subarray(1_000_000, 2_500_001).equals(await buffer(await objects.open(put.sha256, range))))
  t.ok(bytes.equals(await objects.read(put.sha256, bytes.length)))
  await t.rejects(objects.read(put.sha256, bytes.length - 1), /More than \d+ bytes/)
  await t.rejects(objects.read(digest('other'), 1), /Object not found/)
  t.equal(await objects.find(digest('other')), undefined)
  const empty = await objects.put(pieces(Buffer.alloc(0)), MAX)
  t.same(await objects.read(empty.sha256, 0), Buffer.alloc(0))

  const { mode } = await stat(join(folder, put.sha256.slice(0, 2), put.sha256.slice(2, 4), put.sha256))
  t.equal(mode & 0o777, 0o600, 'nobody else reads it')
})

t.test('an object that a crash left shorter is replaced when its bytes are put again', async (t) => {
  const folder = await temporary(t)
  const { objects } = storageOn(booted, createDiskDriver(folder))
  const bytes = randomBytes(10_000)
  const { sha256 } = await objects.put(pieces(bytes), MAX)
  await truncate(join(folder, sha256.slice(0, 2), sha256.slice(2, 4), sha256), 9_000)
  await objects.put(pieces(bytes), MAX)
  t.ok(bytes.equals(await objects.read(sha256, bytes.length)))
})

t.test('the same bytes lie there once, also when they are put at the same time', async (t) => {
  const folder = await temporary(t)
  const { objects } = storageOn(booted, createDiskDriver(folder))
  const bytes = randomBytes(500_000)
  const all = await Promise.all(
    Array.from({ length: 8 }, (_, n) => objects.put(pieces(bytes, 1_000 + n), MAX))
  )
  for (const put of all) t.match(put, { sha256: digest(bytes), size: bytes.length })
  t.same(await filesIn(folder), [digest(bytes)])
})

t.test('what breaks off leaves nothing', async (t) => {
  const folder = await temporary(t)
  const { objects, knex } = storageOn(booted, createDiskDriver(folder))
  const bytes = randomBytes(4_000_000)
  await t.rejects(objects.put(pieces(bytes, 65_536, new Error('cut')), MAX), /cut/)
  await t.rejects(objects.put(pieces(bytes), { maxBytes: 3_999_999 }), /More than \d+ bytes/)
  await t.rejects(
    objects.put(pieces(bytes), { ...MAX, signal: AbortSignal.abort(new Error('left')) }),
    /left/
  )
  t.same(await filesIn(folder), [])
  t.same(await knex('storage.object').where({ sha256: digest(bytes) }), [])
})

t.test(
  'what was put and is not wanted goes at once, unless something holds it or it was put again',
  async (t) => {
    const folder = await temporary(t)
    const { objects, transaction } = storageOn(booted, createDiskDriver(folder))
    const put = (text: string) => objects.put(pieces(Buffer.from(text)), MAX)
    await objects.release(await put('gone'))
    t.same(await filesIn(folder), [])
    const [held, first] = [await put('held'), await put('again')]
    await transaction((trx) => objects.link(trx, held.sha256, 'test/held'))
    await put('again')
    await objects.release(held)
    await objects.release(first)
    t.same((await filesIn(folder)).toSorted(), [held.sha256, first.sha256].sort())
  }
)

t.test('a sweep deletes what nothing holds, and keeps what something does', async (t) => {
  const folder = await temporary(t)
  const { objects, transaction, sweep, knex } = storageOn(booted, createDiskDriver(folder))
  await knex('storage.reference').delete()
  await sweep(0)
  const [kept, loose] = await Promise.all(
    ['kept', 'loose'].map((it) => objects.put(pieces(Buffer.from(it)), MAX))
  )
  const [a, b] = [kept?.sha256 ?? '', loose?.sha256 ?? '']
  await transaction(async (trx) => {
    await objects.link(trx, a, 'test/one')
    await objects.link(trx, a, 'test/two')
    await objects.link(trx, a, 'test/two')
  })
  t.same(await sweep(), { staged: 0, objects: 0 }, 'within the grace period everything stays')
  t.same(await sweep(0), { staged: 0, objects: 1 })
  t.same(await filesIn(folder), [a])
  await t.rejects(
    transaction((trx) => objects.link(trx, b, 'test/late')),
    { code: 'object_swept' }
  )

  await transaction((trx) => objects.unlink(trx, 'test/one'))
  t.same(await sweep(0), { staged: 0, objects: 0 }, 'another one holds it')
  await transaction((trx) => objects.unlink(trx, 'test/two'))
  t.same(await sweep(), { staged: 0, objects: 0 }, 'the grace period begins when it is given back')
  t.same(await sweep(0), { staged: 0, objects: 1 })
  t.same(await filesIn(folder), [])
})

t.test('a sweep and a put of the same bytes: the object stays', async (t) => {
  const folder = await temporary(t)
  const driver = createDiskDriver(folder)
  let swept = Promise.withResolvers<void>()
  const mayGo = Promise.withResolvers<void>()
  const slow = storageOn(booted, {
    ...driver,
    async remove(sha256) {
      swept.resolve()
      await mayGo.promise
      await driver.remove(sha256)
    }
  })
  const { objects, transaction } = storageOn(booted, driver)
  const bytes = randomBytes(100_000)
  const { sha256 } = await objects.put(pieces(bytes), MAX)
  const sweeping = slow.sweep(0)
  await swept.promise
  let isPut = false
  const putting = objects.put(pieces(bytes), MAX).finally(() => {
    isPut = true
  })
  await until(
    () => booted.platform.knex('pg_stat_activity').where({ wait_event_type: 'Lock' }).first('pid'),
    (waiting) => waiting !== undefined
  )
  t.equal(isPut, false, 'the put waits for the sweep')
  mayGo.resolve()
  t.match(await sweeping, { objects: 1 })
  await putting
  await transaction((trx) => objects.link(trx, sha256, 'test/again'))
  swept = Promise.withResolvers()
  t.match(await slow.sweep(0), { objects: 0 })
  t.ok(bytes.equals(await objects.read(sha256, bytes.length)))
})

t.test('an object that is linked while a sweep looks is not deleted', async (t) => {
  const { objects, transaction, sweep } = storageOn(booted, createDiskDriver(await temporary(t)))
  const { sha256 } = await objects.put(pieces(randomBytes(1_000)), MAX)
  await transaction(async (trx) => {
    await objects.link(trx, sha256, 'test/open')
    t.match(await sweep(0), { objects: 0 }, 'it passes what a transaction is at')
  })
  t.match(await sweep(0), { objects: 0 })
  t.equal((await objects.read(sha256, 1_000)).length, 1_000)
})

t.test('kill -9 in the middle of an upload: the sweep deletes what it left', async (t) => {
  const folder = await temporary(t)
  const driver = createDiskDriver(folder)
  const { objects, sweep } = storageOn(booted, driver)
  const script = `
    import { createDiskDriver } from ${JSON.stringify(new URL('../drivers/disk.ts', import.meta.url).href)}
    const bytes = Buffer.alloc(1048576, 7)
    async function* endless() { for (let n = 0; ; n++) { yield bytes; if (n === 3) console.log('writing') } }
    await createDiskDriver(${JSON.stringify(folder)}).stage(endless())`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  const left = await filesIn(folder)
  t.equal(left.length, 1, 'a file that nobody will finish')
  t.match(await sweep(), { staged: 0 }, 'it may belong to another instance')
  t.match(await sweep(0), { staged: 1 })
  t.same(await filesIn(folder), [])
  t.ok(await objects.put(pieces(Buffer.from('after')), MAX))
})

/** A file system of one megabyte, which root alone can mount, and not in every container. */
function mountSmall(folder: string): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', folder]).status === 0
}
const unmount = (folder: string) => void spawnSync('umount', [folder])
const small = await temporary(t)
const isMounted = mountSmall(small)
t.teardown(() => unmount(small))

t.test(
  'a full disk is 507, leaves nothing, and is written to again when there is room',
  { skip: !isMounted && 'nothing can be mounted here' },
  async (t) => {
    const { objects } = storageOn(booted, createDiskDriver(small))
    const half = randomBytes(600_000)
    const { sha256 } = await objects.put(pieces(half), MAX)
    // The kernel answers 507 for that code.
    await t.rejects(objects.put(pieces(randomBytes(600_000)), MAX), { code: 'ENOSPC' })
    t.same(await filesIn(small), [sha256], 'what was begun is gone')
    t.ok(half.equals(await objects.read(sha256, half.length)))
    await rm(join(small, sha256.slice(0, 2)), { recursive: true })
    t.ok(await objects.put(pieces(randomBytes(600_000)), MAX))
  }
)
