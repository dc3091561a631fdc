// budget: 12 s, because processes of their own are killed
// tier: whole
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import t from 'tap'
import { root } from '../../kernel/deployment.ts'
import { createDiskDriver } from '../../plugins/storage/drivers/disk.ts'
import { storageOn } from '../../plugins/storage/test/testbed.ts'
import { boot } from '../boot.ts'
import { createClient } from '../client.ts'
import { startModelServer } from '../model-server.ts'
import { start } from '../packs/processes.ts'
import { until } from '../packs/stage.ts'
import { bodyOf, FORM, part, upload } from '../uploads.ts'

const PACKS = ['access', 'agents', 'outgoing', 'models', 'sessions', 'jobs', 'runs']
const packs = [...PACKS, 'storage', 'extraction', 'files']
const server = await startModelServer(t)
const env = { OPENAI_COMPATIBLE_BASE_URL: server.url, OPENAI_COMPATIBLE_IMAGES: 'true' }
const home = await boot(t, { packs, env })
const ada = home.as('ada')
const folder = join(home.dataDir, 'objects')

/** Another instance, in a process of its own, with the same objects. */
async function another() {
  const enabled = Object.fromEntries(packs.map((name) => [name, { enabled: true }]))
  const running = await start(t, fileURLToPath(new URL('../packs/child.ts', import.meta.url)), {
    ...env,
    LOG_LEVEL: 'silent',
    DATA_DIR: home.dataDir,
    STAGE_CONNECTION: JSON.stringify(home.connection),
    STAGE_DEPLOYMENT: JSON.stringify({ folders: [join(root, 'plugins')], enabled: false, packs: enabled })
  })
  await running.ready
  return { ...running, client: createClient(running.url, 'ada', ada.key()) }
}
const onDisk = async () =>
  (await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))

t.test('kill -9 in the middle of an upload leaves nothing behind the sweep', async (t) => {
  const victim = await another()
  const body = bodyOf([part('a.bin', randomBytes(4_000_000))])
  const socket = connect(Number(new URL(victim.url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(
    [
      'POST /v1/files/upload HTTP/1.1',
      'host: localhost',
      `authorization: Bearer ${await ada.key()}`,
      `content-type: ${FORM['content-type']}`,
      `content-length: ${body.length}`,
      '\r\n'
    ].join('\r\n')
  )
  socket.write(body.subarray(0, 3_000_000))
  const [staged] = await until(onDisk, (files) => files.length > 0)
  await until(
    () => stat(staged as string),
    ({ size }) => size > 1_000_000
  )
  await victim.kill()
  socket.destroy()
  t.same(await onDisk(), [staged], 'what had come lies there')
  const { sweep } = storageOn(home, createDiskDriver(folder))
  t.same(await sweep(3_600), { staged: 0, objects: 0 }, 'an upload that may go on is left')
  t.same(await sweep(0), { staged: 1, objects: 0 })
  t.same(await onDisk(), [])
  t.same(await home.platform.knex('files.file'), [])
  t.same(await home.platform.knex('files.usage').where('files', '>', 0), [])
})

t.test('a run that goes on after kill -9 has its image again', async (t) => {
  const victim = await another()
  const modelId = 'mock?hang=headers&times=1&text=Red'
  const agent = await ada.agent({ modelProvider: 'openai-compatible', modelId })
  const image = sharp({ create: { width: 40, height: 40, channels: 3, background: '#c00' } })
  const { body } = await upload(ada, [part('photo.png', await image.png().toBuffer())])
  const asked = once(server.events, 'request')
  const order = {
    agentId: agent.id,
    messages: [{ role: 'user', content: 'Which colour?' }],
    attachments: [{ fileId: body.data.id }]
  }
  victim.client.post('/v1/agents/run', order).catch(() => undefined)
  await asked
  await until(
    () => home.platform.knex('runs.run').first('id'),
    (run) => run !== undefined
  )
  await victim.kill()
  const { id } = await home.platform.knex('runs.run').first('id')
  const { body: over } = await until(
    () => ada.get(`/v1/agents/runs/${id}`),
    ({ body }) => body.data.endedAt !== null
  )
  t.match(over.data, { status: 'completed', content: 'Red' })
  const [first, second] = server.requests.map(({ body }) => body.messages)
  t.match(JSON.stringify(first), /"image_url":\{"url":"data:image\/jpeg;base64,/)
  t.same(second, first)
})
