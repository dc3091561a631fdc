// budget: 6 s, because files of many megabytes are sent; one body is silent for nine seconds meanwhile
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { until } from '../../../test/packs/stage.ts'
import { bodyOf, FORM, part, upload } from '../../../test/uploads.ts'
import { createFileStore } from '../stores/files.ts'

const booted = await boot(t, 'files', 'packs')
const { platform, admin } = booted
const { knex } = platform
const [ada, bob] = [booted.as('ada'), booted.as('bob')]

/** Half of a body, and then nothing; everything else here happens meanwhile. */
async function stall(): Promise<string> {
  const body = bodyOf([part('a.bin', randomBytes(2_000_000))])
  const socket = connect(Number(new URL(booted.url).port), '127.0.0.1')
  await once(socket, 'connect')
  const head = [
    'POST /v1/files/upload HTTP/1.1',
    'host: localhost',
    `authorization: Bearer ${await bob.key()}`,
    `content-type: ${FORM['content-type']}`,
    `content-length: ${body.length}`,
    '\r\n'
  ]
  socket.write(head.join('\r\n'))
  socket.write(body.subarray(0, 1_000_000))
  return text(socket).catch((error) => String(error.code))
}
const stalled = stall()

t.test('of uploads with one Idempotency-Key at the same time one is kept', async (t) => {
  const [key, bytes] = [{ 'idempotency-key': 'at-once' }, randomBytes(300_000)]
  const replies = await Promise.all(Array.from({ length: 6 }, () => upload(ada, [part('a.bin', bytes)], key)))
  const made = replies.filter(
    ({ status, headers }) => status === 201 && headers.get('idempotency-replayed') === null
  )
  t.equal(made.length, 1)
  for (const reply of replies.filter((reply) => reply !== made[0]))
    if (reply.status === 201) t.same(reply.body, made[0]?.body)
    else t.match(reply, { status: 409, body: { error: { code: 'idempotency_in_progress' } } })
  t.match(await upload(ada, [part('a.bin', bytes)], key), { status: 201, body: made[0]?.body })
  t.equal((await knex('files.file').where({ owner: 'ada' })).length, 1)
  t.match(await knex('files.usage').where({ owner: 'ada' }).first(), { bytes: '300000', files: '1' })
  t.equal((await knex('storage.reference')).length, 1)
})

t.test('a key stands for its upload for a day, and is forgotten then', async (t) => {
  const key = { 'idempotency-key': 'of-yesterday' }
  const first = (await upload(ada, [part('a.txt', 'one')], key)).body.data
  const store = createFileStore({ knex })
  t.equal(await store.removeOldUploads(), 0)
  const age = (interval: string) =>
    knex('files.upload')
      .where({ key: 'of-yesterday' })
      .update({ createdAt: knex.raw('now() - ?::interval', [interval]) })
  await age('23 hours')
  t.equal((await upload(ada, [part('a.txt', 'one')], key)).body.data.id, first.id)
  await age('25 hours')
  const other = await upload(ada, [part('a.txt', 'two')], key)
  t.equal(other.status, 201, 'and takes another body')
  t.not(other.body.data.id, first.id)
  await age('25 hours')
  t.equal(await store.removeOldUploads(), 1)
  t.same(await knex('files.upload').where({ key: 'of-yesterday' }), [])
})

t.test('a range that is being read outlives a reload', async (t) => {
  const bytes = randomBytes(24_000_000)
  const { body } = await upload(ada, [part('large.bin', bytes)])
  const headers = { authorization: `Bearer ${await ada.key()}`, range: 'bytes=1000-' }
  const reply = await fetch(`${booted.url}/v1/files/${body.data.id}/content`, { headers })
  t.equal(reply.status, 206)
  const reader = (reply.body as ReadableStream<Uint8Array>).getReader()
  const digest = createHash('sha256')
  let size = 0
  for (let turn = 0; ; turn++) {
    if (turn === 1) t.match(await admin.post('/v1/packs/files/reload'), { status: 200 })
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    digest.update(value)
  }
  t.equal(size, bytes.length - 1_000)
  t.equal(digest.digest('hex'), createHash('sha256').update(bytes.subarray(1_000)).digest('hex'))
  t.match(await ada.get(`/v1/files/${body.data.id}`), { status: 200 }, 'the new generation serves it')
})

t.test('a body that stops to arrive is cut off, and leaves nothing', async (t) => {
  const reply = await stalled
  t.match(reply, /^HTTP\/1\.1 408|^$|ECONNRESET/, 'told, or cut where nothing can be told any more')
  t.same(await knex('files.file').where({ owner: 'bob' }), [])
  // The connection may be gone a moment before what came over it.
  const incoming = () => readdir(join(booted.dataDir, 'objects', 'incoming'))
  t.same(await until(incoming, (files) => files.length === 0), [])
})
