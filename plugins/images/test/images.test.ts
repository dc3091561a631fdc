import sharp from 'sharp'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { json } from '../../../test/loopback.ts'
import { modelServer } from '../../../test/models.ts'

const booted = await boot(t, 'images', 'providers', 'files', 'extraction', 'library', {
  env: { OUTGOING_ALLOW: '127.0.0.1', IMAGES_PER_MINUTE: '12', IMAGE_SECONDS: '2' }
})
const { as, settled, platform, url } = booted
const { knex } = platform
const [ada, eve] = [as('ada'), as('eve')]
const refuses = (status: number, code?: string, param?: string) => ({
  status,
  body: { error: { ...(code && { code }), ...(param && { param }) } }
})
const pathOf = async (client = ada) => `/v1/agents/${(await client.agent()).id}/assets/images`
const bytesOf = async (client: typeof ada, path: string) =>
  Buffer.from(
    await (
      await fetch(url + path, { headers: { authorization: `Bearer ${await client.key()}` } })
    ).arrayBuffer()
  )

t.test('an avatar is drawn without a provider, the same from the same words, and stays', async (t) => {
  const agent = await ada.agent()
  const path = `/v1/agents/${agent.id}/assets/images`
  const order = { prompt: 'A quiet <script>lighthouse</script>', kind: 'avatar', count: 2, size: '256x256' }
  const made = await ada.post(path, order)
  t.match(made, {
    status: 201,
    body: { data: { agentId: agent.id, modelProvider: 'drawing', modelId: 'avatar', avatar: false } }
  })
  const { images } = made.body.data
  t.match(images, [
    { name: 'A quiet script lighthouse script.png', mediaType: 'image/png' },
    { name: 'A quiet script lighthouse script 2.png' }
  ])
  t.not(images[0].sha256, images[1].sha256, 'each another one')
  const bytes = await bytesOf(ada, images[0].url)
  t.match(await sharp(bytes).metadata(), { format: 'png', width: 256, height: 256 })
  t.match((await ada.post(path, { ...order, count: 1 })).body.data.images, [{ sha256: images[0].sha256 }])
  t.equal((await eve.get(images[0].url)).status, 403)
  await settled()
  const items = (await ada.get('/v1/library')).body.data
  t.equal(items.length, 3, 'they stand in the library')
  t.match((await ada.get(`/v1/agents/${agent.id}`)).body.data, { avatar: null })
  t.match((await ada.post(path, { ...order, count: 1, setAvatar: true })).body.data, { avatar: true })
  t.match((await ada.get(`/v1/agents/${agent.id}`)).body.data, { avatar: { sha256: String } })
  const facts = await knex('kernel.fact').where({ name: 'images.generated' })
  t.notMatch(JSON.stringify(facts), /lighthouse/)
})

t.test('a provider draws what it is asked for, and what is no image is not kept', async (t) => {
  const mill = as('mill', { type: 'service', project: 'studio' })
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#123456' } })
    .png()
    .toBuffer()
  let handle: Parameters<typeof modelServer>[1] = (reply, { body }) =>
    json(reply, 200, {
      data: Array.from({ length: Number(body?.n ?? 1) }, () => ({ b64_json: png.toString('base64') }))
    })
  const server = await modelServer(t, (reply, asked) => handle(reply, asked))
  const chosen = {
    provider: 'openai-compatible',
    modelId: 'painter',
    baseUrl: server.url,
    apiKey: 'secret-key'
  }
  t.equal((await mill.put('/v1/providers/images', chosen)).status, 200)
  const path = await pathOf(mill)
  const order = { prompt: 'A harbour', count: 3, size: '512x512' }
  t.match(await mill.post(path, order), {
    status: 201,
    body: { data: { modelProvider: 'openai-compatible', modelId: 'painter', images: { length: 3 } } }
  })
  t.match(server.asked.at(-1), {
    path: '/images/generations',
    headers: { authorization: 'Bearer secret-key' },
    body: { model: 'painter', prompt: 'A harbour', n: 3, size: '512x512' }
  })
  const before = await knex('files.file').count()
  const faults: [Parameters<typeof modelServer>[1], number][] = [
    [(reply) => json(reply, 400, { error: { message: 'A harbour? secret-key' } }), 502],
    [(reply) => json(reply, 200, { data: [] }), 502],
    [(reply) => json(reply, 200, { data: [{ b64_json: Buffer.from('<svg/>').toString('base64') }] }), 502],
    [(reply) => reply.end('<html>'), 502],
    [(reply) => reply.destroy(), 502],
    [() => undefined, 504]
  ]
  for (const [answer, status] of faults) {
    handle = answer
    const reply = await mill.post(path, { ...order, count: 1 })
    t.equal(reply.status, status)
    t.notMatch(reply.text, /secret-key|harbour/i)
  }
  t.same(await knex('files.file').count(), before, 'nothing was kept')
})

t.test('who may, how many, and what is wrong', async (t) => {
  const path = await pathOf()
  const order = { prompt: 'Me', kind: 'avatar' }
  t.match(await eve.post(path, order), refuses(403, 'not_owner'))
  t.match(await ada.post('/v1/agents/agent_none/assets/images', order), refuses(404))
  t.match(await ada.post(path, { prompt: 'A harbour' }), refuses(503, 'model_not_configured'))
  for (const [fields, param] of [
    [{ prompt: ' ' }, '/prompt'],
    [{ prompt: 'x'.repeat(4_001) }, '/prompt'],
    [{ count: 5 }, '/count'],
    [{ size: '9x9' }, '/size'],
    [{ kind: 'film' }, '/kind'],
    [{ style: 'x' }, '/style']
  ] as const)
    t.match(await ada.post(path, { ...order, ...fields }), refuses(400, undefined, param))
  const key = { 'idempotency-key': 'once' }
  const [one, two] = [await ada.post(path, order, key), await ada.post(path, order, key)]
  t.same(one.body, two.body)
  const zoe = as('zoe')
  const many = await pathOf(zoe)
  const statuses = []
  for (let at = 0; at < 4; at++) statuses.push((await zoe.post(many, { ...order, count: 4 })).status)
  t.same(statuses, [201, 201, 201, 429])
})
