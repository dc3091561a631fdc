import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { json } from '../../../test/loopback.ts'
import { asking, events, modelServer, modelsOf, replyOf } from '../../../test/models.ts'

const SECRET = 'sk-of-the-server-4711'
const TENANT = 'tenant-secret-0815'
const said = (content: string) => [
  { id: 'c', choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] },
  { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }
]
const serving = (content: string, list: object[]) =>
  modelServer(t, (reply, { path }) =>
    path.endsWith('/models') ? json(reply, 200, { data: list }) : events(reply, said(content))
  )
const one = await serving('One', [{ id: 'm', max_model_len: 8_000 }, { id: 'other' }])
const two = await serving('Two', [{ id: 'm' }])
const common = await serving('Common', [{ id: 'c' }])
const booted = await boot(t, 'outgoing', 'models', {
  env: { OPENAI_COMPATIBLE_BASE_URL: common.url, OUTGOING_ALLOW: '127.0.0.1' }
})
const { as } = booted
const service = as('backend', { type: 'service' })
const PATH = '/v1/models/servers'
const headers = [
  { name: 'X-Tenant', value: TENANT, secret: true },
  { name: 'x-title', value: 'Platform' }
]

const text = async (modelProvider: string, modelId: string | null, project = 'default') => {
  const { languageModel, ...info } = await modelsOf(booted).resolve(project, { modelProvider, modelId })
  const parts = await replyOf(languageModel, asking('Hi.'))
  return { info, text: parts.flatMap((it) => (it.type === 'text-delta' ? it.delta : [])).join('') }
}

t.test('several servers of a project answer at once, each with its key and headers', async (t) => {
  const created = await service.post(PATH, {
    name: 'one',
    baseUrl: `${one.url}/v1/`,
    apiKey: SECRET,
    headers,
    models: [{ modelId: 'm', contextTokens: 32_000, outputTokens: 4_000, inputModalities: ['text', 'image'] }]
  })
  t.match(created, {
    status: 201,
    body: {
      data: {
        id: 'openai-compatible:one',
        name: 'one',
        baseUrl: `${one.url}/v1`,
        apiKey: { set: true },
        headers: [
          { name: 'x-tenant', value: null, secret: true },
          { name: 'x-title', value: 'Platform', secret: false }
        ],
        version: 1
      }
    }
  })
  t.match(await service.post(PATH, { name: 'two', baseUrl: two.url }), { status: 201 })
  const first = await text('openai-compatible:one', 'm')
  t.equal(first.text, 'One')
  t.match(first.info, {
    modelProvider: 'openai-compatible:one',
    contextTokens: 32_000,
    outputTokens: 4_000,
    inputModalities: ['text', 'image']
  })
  t.match(one.asked.at(-1)?.headers, {
    authorization: `Bearer ${SECRET}`,
    'x-tenant': TENANT,
    'x-title': 'Platform'
  })
  t.match((await text('openai-compatible:two', null)).text, 'Two')
  t.notOk('x-tenant' in (two.asked.at(-1)?.headers ?? {}))
  t.equal((await text('openai-compatible', 'c')).text, 'Common', 'the one of the platform is as it was')
  const { body } = await service.get('/v1/models?limit=100')
  const ids = body.data.map(({ id }: { id: string }) => id)
  for (const id of ['openai-compatible:one/m', 'openai-compatible:one/other', 'openai-compatible:two/m'])
    t.ok(ids.includes(id), id)
  t.match(
    await modelsOf(booted).explain('default', { modelProvider: 'openai-compatible:two', modelId: 'm' }),
    { configured: true, providerName: 'two' }
  )
})

t.test('a server is of its project alone', async (t) => {
  await t.rejects(text('openai-compatible:one', 'm', 'elsewhere'), { code: 'model_not_configured' })
  const elsewhere = as('backend', { type: 'service', project: 'elsewhere' })
  t.match(await elsewhere.get(`${PATH}/one`), { status: 404 })
  t.match(await elsewhere.put(`${PATH}/one`, { models: [] }), { status: 404 })
  t.match(await elsewhere.delete(`${PATH}/one`), { status: 404 })
  t.same((await elsewhere.get(PATH)).body.data, [])
  const ada = as('ada')
  for (const refused of [
    ada.get(PATH),
    ada.get(`${PATH}/one`),
    ada.post(PATH, { name: 'three', baseUrl: one.url }),
    ada.put(`${PATH}/one`, { models: [] }),
    ada.delete(`${PATH}/one`)
  ])
    t.match(await refused, { status: 403, body: { error: { code: 'not_project_wide' } } })
})

t.test('secrets are neither shown nor sent to another address', async (t) => {
  const told = JSON.stringify([
    (await service.get(PATH)).body,
    (await service.get(`${PATH}/one`)).body,
    await booted.platform.knex('models.configuration').select('*'),
    await booted.platform.knex('kernel.fact').select('*')
  ])
  for (const secret of [SECRET, TENANT]) t.notOk(told.includes(secret))
  const path = `${PATH}/one`
  for (const [changes, param] of [
    [{ baseUrl: two.url }, '/apiKey'],
    [{ baseUrl: two.url, apiKey: 'another' }, '/headers'],
    [{ baseUrl: two.url, apiKey: null, headers: [{ name: 'x-tenant', secret: true }] }, '/headers']
  ] as const)
    t.match(await service.put(path, changes), {
      status: 400,
      body: { error: { code: 'api_key_needed', param } }
    })
  const renamed = [
    { name: 'x-tenant', secret: true },
    { name: 'x-new', value: 'Yes' }
  ]
  t.match(await service.put(path, { headers: renamed }), { status: 200, body: { data: { version: 2 } } })
  await text('openai-compatible:one', 'm')
  t.match(one.asked.at(-1)?.headers, { 'x-tenant': TENANT, 'x-new': 'Yes' }, 'a secret stays as it is')
  t.notOk('x-title' in (one.asked.at(-1)?.headers ?? {}))
  t.match(
    await service.put(path, { headers: [{ name: 'x-tenant' }] }),
    { status: 400, body: { error: { param: '/headers/0/value' } } },
    'a secret does not become readable'
  )
})

t.test('refuses servers that are not valid', async (t) => {
  const valid = { name: 'three', baseUrl: one.url }
  for (const [fields, param] of [
    [{ name: 'Has Space' }, '/name'],
    [{ baseUrl: 'ftp://example.com' }, '/baseUrl'],
    [{ baseUrl: 'http://10.0.0.1' }, '/baseUrl'],
    [{ headers: [{ name: 'Host', value: 'x' }] }, '/headers/0/name'],
    [{ headers: [{ name: 'x-a', value: 'a\nb' }] }, '/headers/0/value'],
    [{ headers: [{ name: 'x-a' }] }, '/headers/0/value'],
    [
      {
        headers: [
          { name: 'x-a', value: '1' },
          { name: 'X-A', value: '2' }
        ]
      },
      '/headers/1/name'
    ],
    [{ models: [{ modelId: 'm' }, { modelId: 'm' }] }, '/models/1/modelId'],
    [{ models: [{ modelId: 'm', contextTokens: 0 }] }, '/models/0/contextTokens']
  ] as const)
    t.match(await service.post(PATH, { ...valid, ...fields }), { status: 400, body: { error: { param } } })
  t.match(await service.post(PATH, { name: 'one', baseUrl: one.url }), {
    status: 409,
    body: { error: { code: 'name_taken' } }
  })
  t.match(await service.put(`${PATH}/nobody`, { models: [] }), { status: 404 })
  t.match(await service.put(`${PATH}/one`, { models: [] }, { 'if-match': '"1"' }), { status: 412 })
})

t.test('a server that is deleted is asked no more', async (t) => {
  t.match(await service.delete(`${PATH}/two`), {
    status: 200,
    body: { data: { id: 'openai-compatible:two' } }
  })
  t.match(await service.get(`${PATH}/two`), { status: 404 })
  await t.rejects(text('openai-compatible:two', 'm'), { code: 'model_not_configured' })
  t.match(await service.post(PATH, { name: 'two', baseUrl: two.url }), { status: 201 })
})
