// budget: 6 s, because S3 is tried again with backoff before it is taken to be away
import { spawnSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import type { Booted } from '../../../test/boot.ts'
import { boot } from '../../../test/boot.ts'
import { until } from '../../../test/packs/stage.ts'
import { s3Fixture } from '../../../test/s3.ts'
import { bodyOf, FORM, part, upload } from '../../../test/uploads.ts'

const booted = await boot(t, 'files')
const ada = booted.as('ada')

const left = async ({ platform, dataDir }: Booted) => ({
  files: await platform.knex('files.file').pluck('id'),
  objects: await platform.knex('storage.object').pluck('sha256'),
  onDisk: (await readdir(join(dataDir, 'objects'), { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
})
const NOTHING = { files: [], objects: [], onDisk: [] }

t.test('ten uploads, each cut at another byte, leave nothing', async (t) => {
  const body = bodyOf([part('a.bin', randomBytes(500_000)), part('b.bin', randomBytes(1_500_000))])
  const head = [
    'POST /v1/files/upload HTTP/1.1',
    'host: localhost',
    `authorization: Bearer ${await ada.key()}`,
    `content-type: ${FORM['content-type']}`,
    `content-length: ${body.length}`,
    '\r\n'
  ].join('\r\n')
  const cuts = Array.from({ length: 10 }, () => randomInt(1, body.length))
  for (const cut of cuts) {
    const socket = connect(Number(new URL(booted.url).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(head)
    await new Promise((resolve) => socket.write(body.subarray(0, cut), resolve))
    socket.destroy()
  }
  const connections = promisify(booted.platform.http.getConnections).bind(booted.platform.http)
  await until(
    async () => (await connections()) === 0 && (await left(booted)),
    (now) => now !== false && now.objects.length + now.onDisk.length === 0
  )
  t.same(await left(booted), NOTHING, `cut at ${cuts}`)
  t.match(await upload(ada, [part('whole.bin', randomBytes(500_000))]), { status: 201 })
})

t.test('S3 away is 503, and nothing of the file is kept; it is served again when S3 is', async (t) => {
  const server = await s3Fixture(t)
  const other = await boot(t, 'files', { env: server.env })
  const kim = other.as('kim')
  const bytes = randomBytes(9_000_000)
  const { body } = await upload(kim, [part('kept.bin', bytes)])
  server.play(({ method, query }) =>
    method === 'PUT' && query.get('partNumber') === '2' ? 'cut' : undefined
  )
  const refused = {
    status: 503,
    body: { error: { type: 'service_unavailable', code: 'storage_unavailable' } }
  }
  t.match(await upload(kim, [part('a.bin', randomBytes(9_000_000))]), refused)
  server.play(({ method }) => (method === 'GET' ? 500 : undefined))
  t.match(await kim.get(`/v1/files/${body.data.id}/content`), refused)
  server.play(() => undefined)
  t.equal(server.uploads.size, 0)
  t.equal(server.objects.size, 1)
  t.equal((await other.platform.knex('files.file')).length, 1)
  const range = await kim.get(`/v1/files/${body.data.id}/content`, { range: 'bytes=100-199' })
  t.equal(range.headers.get('content-range'), `bytes 100-199/${bytes.length}`)
  t.match(range, { status: 206 })
})

const full = await boot(t, 'files')
const folder = join(full.dataDir, 'objects')
await mkdir(folder)
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', folder]).status === 0
t.teardown(() => spawnSync('umount', [folder]))

t.test(
  'a full disk is 507, and uploads go on when there is room',
  { skip: !isMounted && 'nothing can be mounted here' },
  async (t) => {
    const kim = full.as('kim')
    const refused = await upload(kim, [part('large.bin', randomBytes(1_500_000))])
    t.match(refused, { status: 507, body: { error: { type: 'insufficient_storage', code: 'disk_full' } } })
    t.same(await left(full), NOTHING)
    t.match(await upload(kim, [part('fits.bin', randomBytes(700_000))]), { status: 201 })
    t.match(await upload(kim, [part('more.bin', randomBytes(700_000))]), { status: 507 })
    await rm(join(folder, (await left(full)).objects[0]?.slice(0, 2) ?? ''), { recursive: true })
    t.match(await upload(kim, [part('more.bin', randomBytes(700_000))]), { status: 201 })
  }
)
