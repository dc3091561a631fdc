import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { hostedKeys } from '../providers/hosted.ts'

const PROVIDERS = '/v1/models/providers'
const ANTHROPIC = `${PROVIDERS}/anthropic`

t.test('a service sets up a provider for its project', async (t) => {
  const { as, settled, platform } = await boot(t, 'outgoing', 'models')
  const service = as('backend', { type: 'service' })
  const { status, body } = await service.get(PROVIDERS)
  t.equal(status, 200)
  t.same(
    body.data.map((it: Record<string, unknown>) => [it.id, it.configured, it.source, it.version]),
    [
      ['openai', false, null, 0],
      ['anthropic', false, null, 0],
      ['google', false, null, 0],
      ['openai-compatible', false, null, 0],
      ...hostedKeys.map((key) => [key, false, null, 0]),
      ['local', true, 'environment', 0]
    ]
  )

  const put = await service.put(ANTHROPIC, { apiKey: 'sk-ant-1' }, { 'if-match': '"0"' })
  t.match(put, { status: 200, body: { data: { id: 'anthropic', name: 'Anthropic', version: 1 } } })
  t.equal(put.headers.get('etag'), '"1"')
  t.match(put.body.data, { configured: true, source: 'project', baseUrl: null, apiKey: { set: true } })
  t.match(put.body.data.models[0], { modelId: 'claude-sonnet-5-5', outputTokens: 128_000 })
  t.match(await service.get(ANTHROPIC), { status: 200, body: { data: put.body.data } })

  const again = await service.put(ANTHROPIC, put.body.data)
  t.same(again.body.data, put.body.data, 'what it got may be sent back, and is no edit')
  t.match((await service.put(ANTHROPIC, { apiKey: 'sk-ant-2' })).body.data, { version: 2, updatedAt: String })
  t.match(await service.put(ANTHROPIC, { apiKey: 'sk-ant-3' }, { 'if-match': '"1"' }), { status: 412 })
  t.match(await service.delete(ANTHROPIC, { 'if-match': '"1"' }), { status: 412 })
  t.match(await service.delete(ANTHROPIC), {
    status: 200,
    body: { data: { id: 'anthropic', deleted: true } }
  })
  t.match((await service.get(ANTHROPIC)).body.data, { configured: false, source: null, version: 0 })
  t.match(await service.delete(ANTHROPIC), { status: 404 })
  const nothing = await service.put(ANTHROPIC, { baseUrl: null })
  t.match(nothing, { status: 200, body: { data: { version: 0, updatedAt: null } } })
  t.match(await service.delete(ANTHROPIC), { status: 404 }, 'nothing was set up')
  await settled()
  const facts = await platform.knex('kernel.fact').where('name', 'models.provider_configured')
  t.equal(facts.length, 2, 'nor told')
})

t.test('null clears', async (t) => {
  const { as } = await boot(t, 'outgoing', 'models', { env: { ANTHROPIC_API_KEY: 'a' } })
  const service = as('backend', { type: 'service' })
  await service.put(ANTHROPIC, { apiKey: 'own' })
  const { body } = await service.put(ANTHROPIC, { apiKey: null })
  t.match(body.data, { configured: true, source: 'environment', apiKey: { set: false }, version: 2 })
})

t.test('an address is checked, and a key does not follow to another one', async (t) => {
  const { as } = await boot(t, 'outgoing', 'models')
  const service = as('backend', { type: 'service' })
  const param = (name: string) => ({ status: 400, body: { error: { param: name } } })
  for (const baseUrl of [
    'http://127.0.0.1/v1',
    'http://169.254.169.254',
    'http://localhost:80',
    'https://a:b@example.com',
    'https://example.com/?key=1',
    'ftp://example.com',
    'example.com',
    ''
  ])
    t.match(await service.put(ANTHROPIC, { apiKey: 'k', baseUrl }), param('/baseUrl'), baseUrl)
  for (const apiKey of ['', 'with space', 'line\nbreak', 'é', 7, { secret: true }])
    t.match(await service.put(ANTHROPIC, { apiKey }), param('/apiKey'), JSON.stringify(apiKey))
  t.match(await service.put(ANTHROPIC, { key: 'k' }), param('/key'))
  t.match(await service.put(ANTHROPIC, {}, { 'if-match': 'x' }), param('if-match'))
  t.match(await service.put(`${PROVIDERS}/local`, { apiKey: 'k' }), param('provider'))
  t.match((await service.get(ANTHROPIC)).body.data, { version: 0 }, 'nothing of that was kept')

  const first = await service.put(ANTHROPIC, { apiKey: 'k', baseUrl: 'https://models.example.com/v1/' })
  t.match(first.body.data, { baseUrl: 'https://models.example.com/v1', configured: true })
  const moved = { baseUrl: 'https://collector.example.net' }
  t.match(await service.put(ANTHROPIC, moved), param('/apiKey'))
  t.match(await service.put(ANTHROPIC, { baseUrl: null }), param('/apiKey'))
  t.match(await service.put(ANTHROPIC, { ...moved, apiKey: 'k2' }), { status: 200 })
  t.match((await service.put(ANTHROPIC, { apiKey: 'k3' })).body.data, { ...moved, version: 3 })
})

t.test('only who speaks for the whole project, and unknown providers', async (t) => {
  const { as, admin, anyone } = await boot(t, 'outgoing', 'models')
  const service = as('backend', { type: 'service' })
  const refusal = { status: 403, body: { error: { type: 'permission_error', code: 'not_project_wide' } } }
  const everything: ((
    client: ReturnType<typeof as>,
    headers?: Record<string, string>
  ) => Promise<{ status: number }>)[] = [
    (client, headers) => client.get(PROVIDERS, headers),
    (client, headers) => client.get(ANTHROPIC, headers),
    (client, headers) => client.put(ANTHROPIC, { apiKey: 'k' }, headers),
    (client, headers) => client.delete(ANTHROPIC, headers)
  ]
  for (const attempt of everything) {
    t.match(await attempt(as('ada')), refusal)
    t.match(await attempt(service, { 'x-initiator': 'ada' }), refusal)
    t.match(await attempt(as('agent_x', { type: 'agent', owner: 'ada' })), refusal)
    t.match(await attempt(anyone), { status: 401 })
  }
  t.match(await admin.get(PROVIDERS), { status: 200 })
  t.match(await admin.put(ANTHROPIC, { apiKey: 'k' }), { status: 200 })
  const other = as('backend', { type: 'service', project: 'other' })
  t.match((await other.get(ANTHROPIC)).body.data, { configured: false, version: 0 })
  t.match(await other.delete(ANTHROPIC), { status: 404 })
  t.match((await service.get(ANTHROPIC)).body.data, { configured: true })

  const unknown = `${PROVIDERS}/nobody`
  t.match(await service.get(unknown), { status: 404, body: { error: { type: 'not_found' } } })
  t.match(await service.put(unknown, { apiKey: 'k' }), { status: 404 })
  t.match(await service.delete(unknown), { status: 404 })
  const narrowed = as('narrow', { type: 'service', scopes: ['agents:read'] })
  t.match(await narrowed.get(PROVIDERS), { status: 403, body: { error: { code: 'scope_missing' } } })
})

t.test('the list comes in pages', async (t) => {
  const { as } = await boot(t, 'outgoing', 'models')
  const service = as('backend', { type: 'service' })
  const first = await service.get(`${PROVIDERS}?limit=8`)
  const second = await service.get(`${PROVIDERS}?limit=8&cursor=${first.body.nextCursor}`)
  const names = [...first.body.data, ...second.body.data].map((it) => it.id)
  t.same(names, ['openai', 'anthropic', 'google', 'openai-compatible', ...hostedKeys, 'local'])
  t.equal(second.body.nextCursor, null)
  t.match(await service.get(`${PROVIDERS}?limit=500`), { status: 400, body: { error: { param: 'limit' } } })
})

t.test('two who set up the same at once do not get in each other’s way', async (t) => {
  const { as } = await boot(t, 'outgoing', 'models')
  const service = as('backend', { type: 'service' })
  const keys = Array.from({ length: 8 }, (_, index) => `key-${index}`)
  const replies = await Promise.all(keys.map((apiKey) => service.put(ANTHROPIC, { apiKey })))
  t.same(new Set(replies.map(({ status }) => status)), new Set([200]))
  t.same(replies.map(({ body }) => body.data.version).sort(), [1, 2, 3, 4, 5, 6, 7, 8])
})
