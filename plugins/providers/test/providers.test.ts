import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { json } from '../../../test/loopback.ts'
import { modelServer, modelsOf } from '../../../test/models.ts'

const booted = await boot(t, 'providers', 'models', 'embeddings', 'storage', 'spaces', {
  env: { OUTGOING_ALLOW: '127.0.0.1' }
})
const { as, settled, platform } = booted
const { knex } = platform
const mill = as('mill', { type: 'service' })
const refuses = (status: number, code?: string, param?: string) => ({
  status,
  body: { error: { ...(code && { code }), ...(param && { param }) } }
})
const path = (capability: string) => `/v1/providers/${capability}`
const of = async (client: typeof mill, capability: string) => {
  const { data } = (await client.get('/v1/providers?limit=100')).body
  return data.find((it: { capability: string }) => it.capability === capability)
}
const KEY = 'sk-provider-secret'

t.test('what serves each capability is told, with what could', async (t) => {
  const first = (await as('ada').get('/v1/providers?limit=2')).body
  t.match(first, { data: [{ capability: 'models' }, { capability: 'embeddings' }], nextCursor: String })
  const rest = (await as('ada').get(`/v1/providers?cursor=${first.nextCursor}`)).body
  t.match(
    rest.data.map((it: { capability: string }) => it.capability),
    ['transcription', 'speech', 'images', 'storage', 'rtc']
  )
  t.match(await of(mill, 'models'), {
    provider: 'local',
    source: 'default',
    configured: true,
    configurable: true,
    version: 0,
    options: [{ provider: 'openai', configured: false, takes: ['apiKey', 'baseUrl'] }]
  })
  t.match(await of(mill, 'embeddings'), { provider: 'offline', source: 'default' })
  t.match(await of(mill, 'storage'), { provider: 'disk', configured: true, configurable: false })
  t.match(await of(mill, 'rtc'), { provider: null, source: null, configured: false })
})

t.test('a capability is chosen once it has answered, with a key that nobody sees', async (t) => {
  let works = false
  const server = await modelServer(t, (reply, { method, path }) => {
    if (method === 'GET') return json(reply, 200, { data: [] })
    if (!works) return json(reply, 401, { error: { message: `no ${KEY}` } })
    if (path === '/audio/speech') return reply.writeHead(200, { 'content-type': 'audio/mpeg' }).end('ID3')
    if (path === '/audio/transcriptions') return json(reply, 200, { text: 'hello', segments: [] })
    if (path === '/images/generations') return json(reply, 200, { data: [{ b64_json: 'AAAA' }] })
    return json(reply, 200, { data: [{ index: 0, embedding: [1, 0] }] })
  })
  const access = { provider: 'openai-compatible', modelId: 'm', apiKey: KEY, baseUrl: server.url }
  const failed = await mill.put(path('speech'), access)
  t.match(failed, refuses(502, 'provider_failed'))
  t.notMatch(failed.text, KEY)
  t.same(await knex('models.configuration').where({ project: 'default' }), [], 'what failed leaves nothing')
  t.match(await of(mill, 'speech'), { source: null, version: 0 })

  works = true
  const chosen = await mill.put(path('speech'), access, { 'if-match': '"0"' })
  t.match(chosen, {
    status: 200,
    body: {
      data: { provider: 'openai-compatible', modelId: 'm', source: 'project', version: 1, configured: true }
    }
  })
  t.match(server.asked.at(-1), {
    path: '/audio/speech',
    headers: { authorization: `Bearer ${KEY}` },
    body: { model: 'm', input: 'OK' }
  })
  t.match(await mill.put(path('speech'), access, { 'if-match': '"7"' }), refuses(412))
  const known = { provider: 'openai-compatible', modelId: 'm' }
  for (const capability of ['transcription', 'images', 'embeddings'])
    t.match(await mill.put(path(capability), known), { status: 200, body: { data: known } }, capability)

  const models = modelsOf(booted)
  const { model } = await models.media('default', 'transcription')
  t.match(await model.doGenerate({ audio: Buffer.from('x'), mediaType: 'audio/ogg' }), { text: 'hello' })
  const image = await models.media('default', 'image')
  t.match(image, { modelProvider: 'openai-compatible', isLocal: false, modelId: 'm' })

  await settled()
  const kept = JSON.stringify([
    await knex('models.configuration').select(),
    await knex('kernel.fact').select(),
    (await mill.get('/v1/providers')).body
  ])
  t.notMatch(kept, KEY)
  t.match(await mill.delete(path('speech'), { 'if-match': '"9"' }), refuses(412))
  t.match((await mill.delete(path('speech'))).body.data, { id: 'speech', deleted: true })
  t.match(await of(mill, 'speech'), { source: null, version: 0 })
  t.match(await mill.delete(path('speech')), refuses(404))
})

t.test('a failed attempt leaves what was set up before', async (t) => {
  const service = as('works', { type: 'service', project: 'works' })
  let status = 200
  const server = await modelServer(t, (reply, { method }) => {
    if (method === 'GET') return json(reply, 200, { data: [] })
    return status === 200
      ? json(reply, 200, { data: [{ index: 0, embedding: [1, 0] }] })
      : json(reply, status, { error: {} })
  })
  const good = { provider: 'openai-compatible', modelId: 'v', apiKey: 'first', baseUrl: server.url }
  t.equal((await service.put(path('embeddings'), good)).status, 200)
  status = 403
  t.match(await service.put(path('embeddings'), { ...good, modelId: 'w', apiKey: 'second' }), refuses(502))
  status = 200
  const embedder = await modelsOf(booted).embedding('works')
  await embedder.embed(['one'], { as: 'query' })
  t.match(server.asked.at(-1), { headers: { authorization: 'Bearer first' }, body: { model: 'v' } })
})

t.test('a project has a model of its own for agents that name none', async (t) => {
  t.match(await mill.put(path('models'), { provider: 'local', modelId: 'mine' }), {
    status: 200,
    body: { data: { provider: 'local', modelId: 'mine', source: 'project' } }
  })
  t.match(await modelsOf(booted).explain('default', { modelProvider: null, modelId: null }), {
    modelId: 'mine',
    reason: /chose it/
  })
  t.match(await modelsOf(booted).explain('elsewhere', { modelProvider: null, modelId: null }), {
    reason: /no key/
  })
  await mill.delete(path('models'))
  t.match(await of(mill, 'models'), { source: 'default' })
})

t.test('who may, and what is wrong', async (t) => {
  const wanted = { provider: 'local' }
  for (const client of [as('ada'), as('ada-bot', { type: 'service', project: 'other' })]) {
    const reply = await client.put(path('models'), wanted)
    t.equal(reply.status, client.id === 'ada' ? 403 : 200, client.id)
  }
  t.match(await as('ada').delete(path('models')), refuses(403, 'not_project_wide'))
  t.match(await mill.put(path('models'), wanted, { 'x-initiator': 'bob' }), refuses(403, 'not_project_wide'))
  t.match(await mill.put(path('telepathy'), wanted), refuses(404))
  t.match(await mill.delete(path('telepathy')), refuses(404))
  t.match(await mill.put(path('storage'), { provider: 's3' }), refuses(409, 'not_configurable'))
  for (const [body, param] of [
    [{}, '/provider'],
    [{ provider: 'nobody' }, '/provider'],
    [{ provider: 'local', apiKey: 'x' }, '/apiKey'],
    [{ provider: 'openai', baseUrl: 'ftp://x' }, '/baseUrl'],
    [{ provider: 'local', more: 1 }, '/more']
  ] as const)
    t.match(await mill.put(path('models'), body), refuses(400, undefined, param))
  t.match(await mill.put(path('models'), { provider: 'openai' }), refuses(503, 'model_not_configured'))
  t.match(
    await mill.put(path('speech'), { provider: 'openai-compatible', baseUrl: 'http://10.0.0.1/v1' }),
    refuses(400, undefined, '/baseUrl')
  )
})
