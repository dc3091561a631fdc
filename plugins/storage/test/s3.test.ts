// budget: 5 s, because S3 is tried again with backoff before it is taken to be away
// tier: whole
import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { s3Fixture, s3Keys } from '../../../test/s3.ts'
import { openS3 } from '../drivers/s3.ts'
import { digest, pieces, storageOn } from './testbed.ts'

const booted = await boot(t, 'storage')
const MAX = { maxBytes: 100_000_000 }

async function stage(t: { teardown(work: () => unknown): unknown }, changes: object = {}) {
  const server = await s3Fixture(t)
  const s3 = openS3({
    driver: 's3',
    bucket: 'files',
    prefix: 'test/',
    endpoint: server.endpoint,
    region: 'eu-test-1',
    ...s3Keys,
    pathStyle: true,
    graceMinutes: 60,
    ...changes
  })
  t.teardown(s3.close)
  return { server, ...storageOn(booted, s3.driver) }
}

t.test('bytes are put, opened in ranges, held and swept', async (t) => {
  const { server, objects, transaction, sweep } = await stage(t)
  const bytes = randomBytes(300_001)
  const put = await objects.put(pieces(bytes), MAX)
  t.match(put, { sha256: digest(bytes), size: bytes.length })
  const key = `test/objects/${put.sha256.slice(0, 2)}/${put.sha256}`
  t.same([...server.objects.keys()], [key], 'what was staged is gone')
  t.ok(bytes.equals(await buffer(await objects.open(put.sha256))))
  const range = { start: 1_000, end: 200_000 }
  t.ok(bytes.subarray(1_000, 200_001).equals(await buffer(await objects.open(put.sha256, range))))
  await objects.put(pieces(bytes, 777), MAX)
  t.same([...server.objects.keys()], [key], 'the same bytes lie there once')

  await transaction((trx) => objects.link(trx, put.sha256, 'test/s3'))
  t.match(await sweep(0), { objects: 0 })
  await transaction((trx) => objects.unlink(trx, 'test/s3'))
  t.match(await sweep(0), { objects: 1 })
  t.equal(server.objects.size, 0)
})

t.test('large ones go in parts, and what breaks off is aborted', async (t) => {
  const { server, objects } = await stage(t)
  const bytes = randomBytes(20_000_000)
  const { sha256 } = await objects.put(pieces(bytes, 1_000_000), MAX)
  t.ok(bytes.equals(await objects.read(sha256, bytes.length)))
  t.equal(server.uploads.size, 0)

  await t.rejects(objects.put(pieces(randomBytes(20_000_000), 65_536, new Error('cut')), MAX), /cut/)
  await t.rejects(
    objects.put(pieces(randomBytes(20_000_000)), { maxBytes: 19_000_000 }),
    /More than \d+ bytes/
  )
  t.equal(server.uploads.size, 0, 'its parts are gone')
  t.equal(server.objects.size, 1)
})

t.test('S3 away is 503, and nothing half-written', async (t) => {
  const { server, objects } = await stage(t)
  const bytes = randomBytes(12_000_000)
  const away = { code: 'storage_unavailable' }
  server.play(({ method, query }) => (method === 'PUT' && query.get('partNumber') === '2' ? 500 : undefined))
  await t.rejects(objects.put(pieces(bytes), MAX), away, 'a part is refused')
  server.play(({ method, key }) => (method === 'PUT' && key.startsWith('test/objects/') ? 503 : undefined))
  await t.rejects(objects.put(pieces(bytes), MAX), away, 'the copy is refused')
  server.play(({ method }) => (method === 'PUT' ? 'cut' : undefined))
  await t.rejects(objects.put(pieces(randomBytes(1_000)), MAX), away, 'the connection is cut')
  server.play(() => 507)
  await t.rejects(objects.put(pieces(randomBytes(1_000)), MAX), { code: 'disk_full' })
  server.play(() => undefined)
  t.equal(server.objects.size, 0)
  t.equal(server.uploads.size, 0)

  const { sha256 } = await objects.put(pieces(bytes), MAX)
  server.close()
  await t.rejects(objects.open(sha256), away, 'nobody listens')
})

t.test('what a killed process left is swept: objects, page by page, and uploads in parts', async (t) => {
  const { server, sweep } = await stage(t)
  const old = new Date(Date.now() - 7_200_000)
  for (let n = 0; n < 5; n++)
    server.objects.set(`test/incoming/${n}`, { body: Buffer.from('x'), modified: old })
  server.objects.set('test/incoming/new', { body: Buffer.from('x'), modified: new Date() })
  server.uploads.set('left', { key: 'test/incoming/a', begun: old, parts: new Map() })
  server.uploads.set('going', { key: 'test/incoming/b', begun: new Date(), parts: new Map() })
  t.match(await sweep(), { staged: 6 })
  t.same([...server.objects.keys()], ['test/incoming/new'])
  t.same([...server.uploads.keys()], ['going'])
})

t.test('a wrong key is refused, and told as 503 without a word about it', async (t) => {
  const { objects, server } = await stage(t, { secretAccessKey: 'wrong' })
  const error = await objects.put(pieces(Buffer.from('x')), MAX).catch((error) => error)
  t.match(error, { kind: 'unavailable', code: 'storage_unavailable' })
  t.notMatch(error.message, /wrong|AKID|files|127/)
  t.equal(server.objects.size, 0)
})
